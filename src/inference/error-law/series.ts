import type { Arrangement } from './arrangement.ts'
import type { BlurredLaw } from './error-law.ts'
import { kernelLoss, kernelReach, kernelTransform } from './kernel.ts'
import { absent } from './law.ts'
import { negligible, stretch, walk } from './product.ts'
import { SineSeries } from './sine-series.ts'
import { tailReach } from './tail.ts'

/** What the law's repetitions at other periods may add to a probability. */
export const aliased = 1e-11
/** What stopping a continuous law's series may cost. */
const cut = 1e-11
/** What leaving out a stretch of a series may cost. */
const spared = 1e-13
/** No series is longer than this; the kernel is made wider instead. */
const longest = 2 ** 17

/**
 * Pr(|error + κ| ≤ w) of an error on no lattice, κ independent and within ± blur, as a sine series over one period:
 * 2w/P + (2/π)·Σ φ(t_n)·K(t_n)·sin(t_n·w)/n with t_n = 2πn/P. In units of the deviation. An error that has a smooth
 * density itself needs no κ.
 */
interface Blurred {
  readonly series: SineSeries
  readonly blur: number
  readonly slack: number
}

/**
 * The law of an error by its characteristic function, widened by about `blur`, in the units of the terms. `tail` is the
 * arrangement's reach for a probability of `aliased`.
 */
export function seriesLaw(a: Arrangement, tail: number, blur: number): BlurredLaw {
  const wanted = blur / a.deviation
  const law = (a.longestStep === 0 ? smooth(a, tail, wanted) : undefined) ?? blurred(a, tail, wanted)
  const half = law.series.period / 2
  const slack = law.slack + law.series.rounding + leftOut
  const atMost = (w: number) => (w <= 0 ? 0 : w >= half * a.deviation ? 1 : law.series.at(w / a.deviation).sum)
  const halfWidth = (confidence: number) =>
    // Beyond what the series can vouch for, the tail bound can.
    confidence + slack >= 1 - aliased
      ? tailReach(a, 1 - confidence)
      : law.series.reaching(confidence + slack, 2) + law.blur
  return {
    atMost,
    below: atMost,
    spacing: 0,
    support: half * a.deviation,
    blur: law.blur * a.deviation,
    slack,
    halfWidth: (confidence) => a.deviation * halfWidth(confidence),
  }
}

/** Frequencies and noises that are passed over: Σ 1/n < 13 up to the longest series. */
const leftOut = 13 * negligible + absent

/** Where the error has no density: with the kernel, and as long as the kernel's transform says. */
function blurred(a: Arrangement, tail: number, wanted: number): Blurred {
  // The kernel's reach in frequencies is n = β·P/(2π·blur); P = 2(tail + blur).
  const most = (longest * Math.PI) / kernelReach - 1
  const blur = Math.max(wanted, tail / most)
  const series = new SineSeries(2 * (tail + blur))
  const base = (2 * Math.PI) / series.period
  const length = Math.ceil(kernelReach / (base * blur))
  const factors = new Float64Array(stretch)
  let slack = aliased + kernelLoss(length, base * blur)
  walk(a, base, length - 1, ({ first, values, errors }) => {
    let total = 0
    for (let k = 0; k < stretch; k++) {
      const n = first + k
      const weight = n < length ? ((2 / Math.PI) * kernelTransform(n * base * blur)) / n : 0
      factors[k] = values[k]! * weight
      total += factors[k]!
      slack += errors[k]! * weight
    }
    if (total > spared) series.add(first, factors)
    else slack += total
    return false
  })
  return { series, blur, slack }
}

/**
 * Where every term is continuous φ falls by itself; undefined if the kernel would be the shorter way. With y = (b·t)² of
 * the widest term, d log φ/d log t falls, and is at most -2·max(-log φ, y)/(1 + y) at t: so φ falls at least like that
 * power from there on.
 */
function smooth(a: Arrangement, tail: number, wanted: number): Blurred | undefined {
  const series = new SineSeries(2 * tail)
  const base = (2 * Math.PI) / series.period
  const most = Math.min(longest, Math.ceil(kernelReach / (base * wanted)))
  const factors = new Float64Array(stretch)
  let slack = aliased
  let loss = negligible
  walk(a, base, most, ({ first, values, errors }) => {
    for (let k = 0; k < stretch; k++) {
      const weight = 2 / Math.PI / (first + k)
      factors[k] = values[k]! * weight
      slack += errors[k]! * weight
    }
    series.add(first, factors)
    const n = first + stretch - 1
    const y = (a.farthest * n * base) ** 2
    const phi = Math.max(values[stretch - 1]! + errors[stretch - 1]!, negligible)
    loss = (2 / Math.PI) * phi * (1 / n + (1 + y) / (2 * Math.max(-Math.log(phi), y)))
    return loss <= cut
  })
  return loss <= cut ? { series, blur: 0, slack: slack + loss } : undefined
}
