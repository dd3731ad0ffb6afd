import { gaussianCharacteristic } from '../../numeric/index.ts'
import { type Arrangement, orders, small, wide, width } from './arrangement.ts'

/** Products below this count as zero; what that can cost is in the slack. */
export const negligible = Math.exp(-40)
const enough = 1 / negligible

/** A value of the error's characteristic function and a bound of its error, both ≥ 0. */
export interface Value {
  value: number
  error: number
}

/**
 * The error's characteristic function at frequencies that only grow, in units of 1/deviation. Small terms enter by
 * their power sums, the others one by one, those with the largest share of the variance first, until nothing is left.
 */
export function productOf(a: Arrangement): (t: number, into: Value) => void {
  let from = -1
  let large: Uint32Array = new Uint32Array()
  let steepness = 0
  const select = (t: number) => {
    let k = Math.max(from, 1)
    while (a.edge[k]! * t > small) k++
    if (k === from) return
    from = k
    large = indicesBefore(a, k)
    steepness = 0
    for (const i of large) steepness += a.slope[i]!
  }
  return (t, into) => {
    select(t)
    const place = from * width
    const x = t * t
    // -log of the product over the small terms; 10^-12 of its first order covers the discrete Gaussians among them.
    let exponent = 0
    for (let n = orders - 1; n >= 0; n--) exponent = x * (a.sums[place + n]! - exponent)
    let denominator = exponent === 0 ? 1 : Math.exp(exponent)
    for (let j = 0; j < large.length && denominator < enough; j++) denominator *= inverse(a, large[j]!, t)
    if (denominator >= enough) {
      into.value = 0
      into.error = negligible
      return
    }
    const cube = x * x * x
    const remainder = a.sums[place + orders]! * cube * cube * cube + 1e-12 * a.sums[place]! * x
    // The rounding of a·t turns into steepness·t·2^-53, an evaluation into a few 2^-53 of itself.
    const rounding = (steepness * t + 8 * large.length + 8 * exponent + 8) * 2 ** -52
    const off = remainder + rounding
    into.value = 1 / denominator
    // e^y - 1 ≤ y + y² up to 1
    into.error = into.value * (off < 1 ? off + off * off : Math.expm1(off))
  }
}

/** The terms in buckets before k, still in the order of their shares. */
function indicesBefore(a: Arrangement, k: number): Uint32Array {
  const indices = new Uint32Array(a.bucket.length)
  let length = 0
  for (let i = 0; i < a.bucket.length; i++) if (a.bucket[i]! < k) indices[length++] = i
  return indices.subarray(0, length)
}

/** 1/φ of one term, to the power of its count. */
function inverse(a: Arrangement, i: number, t: number): number {
  const x = a.coefficient[i]! * t
  const count = a.count[i]!
  let one: number
  if (a.kind[i] === 0) {
    const s = Math.sin(x / 2)
    one = 1 + a.parameter[i]! * s * s
  } else if (a.kind[i] === 1) {
    one = 1 + a.parameter[i]! * x * x
  } else {
    one = inverseGaussian(a.parameter[i]!, x)
  }
  return count === 1 ? one : one ** count
}

const inverseGaussian = (sigma2: number, x: number): number =>
  sigma2 >= wide && x <= 0.5 ? Math.exp((sigma2 * x * x) / 2) : 1 / gaussianCharacteristic(sigma2, x)

/**
 * A bound of log E exp(s·error), 0 < s < 1/farthest: the same sums at t = is, where every sign is plus. A discrete
 * Gaussian's is at most that of the Gaussian (Canonne, Kamath, Steinke 2020).
 */
function logMoment(a: Arrangement, s: number): number {
  let from = 1
  while (a.edge[from]! * s > small) from++
  const x = s * s
  let total = 0
  for (let n = orders; n >= 0; n--) total = x * (a.sums[from * width + n]! + total)
  for (let i = 0; i < a.bucket.length; i++) {
    if (a.bucket[i]! < from) total += a.count[i]! * logMomentOfOne(a, i, s)
  }
  return total
}

function logMomentOfOne(a: Arrangement, i: number, s: number): number {
  const x = a.coefficient[i]! * s
  if (a.kind[i] === 2) return (a.parameter[i]! * x * x) / 2
  const h = a.kind[i] === 0 ? Math.sinh(x / 2) : x
  return -Math.log1p(-a.parameter[i]! * h * h)
}

/**
 * Some x, in deviations, with Pr(|error| ≥ x) ≤ probability (Chernoff): the least of (log 2/probability + log
 * moment)/s. Every s gives a valid x, so the search need not be exact.
 */
export function tailReach(a: Arrangement, probability: number): number {
  const need = Math.log(2 / probability)
  const at = (s: number) => (need + logMoment(a, s)) / s
  const most = Math.min(0.999 / a.farthest, 2 * Math.sqrt(2 * need))
  let [low, high] = [Math.log(most / 64), Math.log(most)]
  // The bound falls and then rises; a golden section of 14 steps leaves 0.5% of s, and less of the bound.
  const golden = (Math.sqrt(5) - 1) / 2
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)]
  let [atLeft, atRight] = [at(Math.exp(left)), at(Math.exp(right))]
  for (let i = 0; i < 14; i++) {
    if (atLeft < atRight) {
      ;[high, right, atRight] = [right, left, atLeft]
      left = high - golden * (high - low)
      atLeft = at(Math.exp(left))
    } else {
      ;[low, left, atLeft] = [left, right, atRight]
      right = low + golden * (high - low)
      atRight = at(Math.exp(right))
    }
  }
  return Math.min(atLeft, atRight)
}
