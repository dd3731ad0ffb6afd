import type { Arrangement } from './arrangement.ts'
import { kernelLoss, kernelReach, kernelTransform } from './kernel.ts'
import { absent } from './law.ts'
import type { ErrorLaw } from './posterior.ts'
import { negligible, productOf, tailReach, type Value } from './product.ts'

/** What the law's repetitions at other periods may add to a probability. */
export const aliased = 1e-11
/** What stopping a continuous law's series may cost. */
const cut = 1e-12
/** No series is longer than this; the kernel is made wider instead. */
const longest = 2 ** 17

/**
 * Pr(|error + κ| ≤ w) of an error on no lattice, κ independent and within ± blur, as a sine series over one period:
 * 2w/P + (2/π)·Σ φ(t_n)·K(t_n)·sin(t_n·w)/n with t_n = 2πn/P. In units of the deviation. An error that has a smooth
 * density itself needs no κ.
 */
interface Series {
  readonly period: number
  /** (2/π)·φ·K/n for n = 1, 2, … */
  readonly coefficients: Float64Array
  readonly blur: number
  readonly slack: number
}

/**
 * The law of an error by its characteristic function, widened by about `blur`, in the units of the terms. `tail` is the
 * arrangement's reach for a probability of `aliased`.
 */
export function seriesLaw(a: Arrangement, tail: number, blur: number): ErrorLaw {
  const series =
    (a.continuous ? smooth(a, tail, blur / a.deviation) : undefined) ?? blurred(a, tail, blur / a.deviation)
  const atMost = (w: number) => (w <= 0 ? 0 : w >= series.period / 2 ? 1 : sineSum(series, w).sum)
  const scaled = (w: number) => atMost(w / a.deviation)
  return {
    atMost: scaled,
    below: scaled,
    spacing: 0,
    support: (series.period / 2) * a.deviation,
    blur: series.blur * a.deviation,
    slack: series.slack,
    halfWidth: (confidence) => a.deviation * (halfWidth(a, series, confidence) + series.blur),
  }
}

/** Where the error has no density: with the kernel, and as long as the kernel's transform says. */
function blurred(a: Arrangement, tail: number, wanted: number): Series {
  // The kernel's reach in frequencies is n = β·P/(2π·blur); P = 2(tail + blur).
  const most = (longest * Math.PI) / kernelReach - 1
  const blur = Math.max(wanted, tail / most)
  const period = 2 * (tail + blur)
  const base = (2 * Math.PI) / period
  const length = Math.ceil(kernelReach / (base * blur))
  const coefficients = new Float64Array(length - 1)
  const product = productOf(a)
  const phi: Value = { value: 0, error: 0 }
  let slack = aliased + kernelLoss(length, base * blur)
  for (let n = 1; n < length; n++) {
    product(n * base, phi)
    slack += phi.error / n
    if (phi.value > 0) coefficients[n - 1] = ((2 / Math.PI) * phi.value * kernelTransform(n * base * blur)) / n
  }
  return { period, coefficients, blur, slack: slack + rounding }
}

/** Where every term is continuous φ falls by itself; undefined if the kernel would be the shorter way. */
function smooth(a: Arrangement, tail: number, wanted: number): Series | undefined {
  const period = 2 * tail
  const base = (2 * Math.PI) / period
  const most = Math.min(longest, Math.ceil(kernelReach / (base * wanted)))
  const product = productOf(a)
  const phi: Value = { value: 0, error: 0 }
  const coefficients: number[] = []
  let slack = aliased
  const slowest = a.farthest * a.farthest
  for (let n = 1; n <= most; n++) {
    const t = n * base
    product(t, phi)
    // The widest term alone falls at least like (1 + 1/(b·t)²)·(t/t')² from t to t', and all others fall too.
    const loss = (2 / Math.PI) * (phi.value + phi.error) * (1 + 1 / (slowest * t * t)) * (0.5 + 1 / n)
    if (loss <= cut)
      return { period, coefficients: Float64Array.from(coefficients), blur: 0, slack: slack + loss + rounding }
    slack += phi.error / n
    coefficients.push(((2 / Math.PI) * phi.value) / n)
  }
  return undefined
}

/** Rounding of the sine sum: Σ 1/n < 13 terms of size 1, each right to 40 units in the last place; and the e^-40. */
const rounding = 13 * 40 * 2 ** -53 + 13 * negligible + absent

/** The series and its derivative. Angles advance by rotation and are taken anew every 32 terms, before errors grow. */
function sineSum({ period, coefficients }: Series, w: number): { sum: number; slope: number } {
  const angle = (2 * Math.PI * w) / period
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  let sum = (2 * w) / period
  let slope = 2 / period
  const rate = (2 * Math.PI) / period
  for (let start = 0; start < coefficients.length; start += 32) {
    let [x, y] = [Math.cos((start + 1) * angle), Math.sin((start + 1) * angle)]
    const end = Math.min(start + 32, coefficients.length)
    for (let i = start; i < end; i++) {
      const f = coefficients[i]!
      sum += f * y
      slope += f * (i + 1) * rate * x
      const turned = x * c - y * s
      y = x * s + y * c
      x = turned
    }
  }
  return { sum, slope }
}

/** The smallest w, to 10^-10, at which the series vouches for the confidence: Newton's method between brackets. */
function halfWidth(a: Arrangement, series: Series, confidence: number): number {
  const goal = confidence + series.slack
  let [low, high] = [0, series.period / 2]
  // Beyond what the series can vouch for, the tail bound can.
  if (goal >= 1 - aliased) return tailReach(a, 1 - confidence)
  let w = Math.min(2, high / 2)
  for (let i = 0; i < 100 && high - low > 1e-10; i++) {
    const { sum, slope } = sineSum(series, w)
    if (sum >= goal) high = w
    else low = w
    // Aim a little beyond the root, so that the upper bracket follows.
    const next = w - (sum - goal) / slope + 3e-11
    w = next > low && next < high ? next : (low + high) / 2
  }
  return high
}
