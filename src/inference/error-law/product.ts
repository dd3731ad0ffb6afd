import { type Arrangement, logInverseGaussian, orders, small, width } from './arrangement.ts'
import { silentUntil } from './silence.ts'

/** Products below this count as zero; what that can cost is in the slack. */
export const negligible = 1e-14
const enough = 1 / negligible
const logEnough = Math.log(enough)

/** So many frequencies are taken at a time. */
export const stretch = 24

/** Values of the error's characteristic function at n·base for n = first, first + 1, … and bounds of their errors. */
interface Stretch {
  first: number
  readonly values: Float64Array
  readonly errors: Float64Array
}

/**
 * The error's characteristic function at n·base, n = 1 … last, in units of 1/deviation, but for stretches where it is
 * negligible. Small terms enter by their power sums, the others one by one until nothing is left. `visit` returns true
 * to end it.
 */
export function walk(a: Arrangement, base: number, last: number, visit: (s: Stretch) => boolean): void {
  const at: Stretch = { first: 1, values: new Float64Array(stretch), errors: new Float64Array(stretch) }
  const product = new Float64Array(stretch)
  const exponent = new Float64Array(stretch)
  // To look how far silence lasts costs as much as some stretches: where that gains little, the next look comes later.
  for (let wait = 0, patience = 1; at.first <= last; wait--) {
    if (evaluate(a, base, at, product, exponent) && visit(at)) return
    const end = at.first + stretch - 1
    at.first = end + 1
    if (at.values[stretch - 1] !== 0 || wait > 0) continue
    const silent = Math.ceil(silentUntil(a, end * base, logEnough + 1) / base)
    at.first = Math.max(end + 1, silent)
    patience = silent - end > farther * stretch ? 1 : 2 * patience
    wait = patience
  }
}

/** So many stretches are worth a look. */
const farther = 16

/** Fills a stretch; false where all of it is negligible. */
function evaluate(
  a: Arrangement,
  base: number,
  { first, values, errors }: Stretch,
  product: Float64Array,
  exponent: Float64Array,
): boolean {
  const end = (first + stretch - 1) * base
  let bucket = 1
  while (a.edge[bucket]! * end > small) bucket++
  const place = bucket * width
  product.fill(1)
  exponent.fill(0)
  const terms = a.termsBefore[bucket]!
  let turned = 0
  // Beyond the first stretches a few terms are nearly always enough to see that nothing is left.
  for (let i = 0, look = 2; i < terms; i++) {
    turned += multiply(a, a.order[i]!, base, first, product, exponent)
    if (i < look) continue
    if (isNegligible(product, exponent)) {
      values.fill(0)
      return false
    }
    look = i + Math.min(i, 8)
  }
  // Where no term is small there is nothing to add up.
  if (a.sums[place]! > 0)
    for (let k = 0; k < stretch; k++) exponent[k]! += smallTerms(a.sums, place, (first + k) * base)
  const bound = errorBound(a, bucket, turned)
  let found = false
  for (let k = 0; k < stretch; k++) {
    const value = exponent[k] === 0 ? 1 / product[k]! : Math.exp(-exponent[k]!) / product[k]!
    const counts = value > negligible
    values[k] = counts ? value : 0
    errors[k] = counts ? bound(value, (first + k) * base) : 0
    found ||= counts
  }
  return found
}

/** How far a value at t may be off, when the terms before the bucket came one by one. */
function errorBound(a: Arrangement, bucket: number, turned: number): (value: number, t: number) => number {
  const steepness = 2 * a.steepnessBefore[bucket]!
  const always = turned + 4 * a.noisesBefore[bucket]! + 8
  const perLog = relative + a.kind.length
  const place = bucket * width
  const [first, last] = [1e-12 * a.sums[place]!, a.sums[place + orders]!]
  return (value, t) => {
    const x = t * t
    const cube = x * x * x
    // 10^-12 of the first order covers the discrete Gaussians among the small terms.
    const remainder = last * cube * cube * cube + first * x
    // value·|log value| ≤ 1/e
    const log = Math.min(logEnough, 0.368 / value)
    const off = remainder + (steepness * t + always + perLog * log) * 2 ** -52
    // e^y - 1 ≤ y + y² up to 1
    return value * (off < 1 ? off + off * off : Math.expm1(off))
  }
}

/** -log of the product over the small terms, at t. */
function smallTerms(sums: Float64Array, place: number, t: number): number {
  const x = t * t
  let total = 0
  for (let n = orders - 1; n >= 0; n--) total = x * (sums[place + n]! - total)
  return total
}

function isNegligible(product: Float64Array, exponent: Float64Array): boolean {
  for (let k = 0; k < stretch; k++) if (product[k]! < enough && exponent[k]! < logEnough) return false
  return true
}

/** Sines that are found by so many turns are off by 8 units a turn, relatively, in the first quadrant. */
const relative = 16 * stretch
/** And by 4 units a turn, absolutely, anywhere. */
const absolute = 4 * stretch

/**
 * Multiplies 1/φ of one term into a stretch: a Laplace law's into the product, a Gaussian's into the exponent. Returns by
 * how many units of 2^-52 turning has put log φ off, beyond what is relative to it.
 */
function multiply(
  a: Arrangement,
  i: number,
  base: number,
  first: number,
  product: Float64Array,
  exponent: Float64Array,
): number {
  const step = a.coefficient[i]! * base
  const parameter = a.parameter[i]!
  const count = a.count[i]!
  if (a.kind[i] === 2) {
    for (let k = 0; k < stretch; k++) exponent[k]! += count * logInverseGaussian(parameter, (first + k) * step)
    return 0
  }
  // 1/φ(x) = 1 + parameter·sin²(x/2), or 1 + parameter·x²
  if (a.kind[i] === 0) turnedFactors(first, step / 2, parameter)
  else risingFactors(first, step, parameter)
  if (count === 1) for (let k = 0; k < stretch; k++) product[k]! *= factors[k]!
  else for (let k = 0; k < stretch; k++) product[k]! *= power(factors[k]!, count)
  return a.kind[i] === 1 || (first + stretch) * step <= Math.PI ? 0 : absolute * count * Math.sqrt(parameter)
}
const factors = new Float64Array(stretch)

/** x^count by squaring: right to 2^-53 of it for every factor, as Math.pow need not be, and several times as fast. */
function power(x: number, count: number): number {
  let result = 1
  for (let rest = count, square = x; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square
    square *= square
  }
  return result
}

function turnedFactors(first: number, angle: number, parameter: number): void {
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  let x = Math.cos(first * angle)
  let y = Math.sin(first * angle)
  for (let k = 0; k < stretch; k++) {
    factors[k] = 1 + parameter * y * y
    const turned = x * c - y * s
    y = x * s + y * c
    x = turned
  }
}

function risingFactors(first: number, step: number, parameter: number): void {
  const square = parameter * step * step
  for (let k = 0, n = first; k < stretch; k++, n++) factors[k] = 1 + square * n * n
}
