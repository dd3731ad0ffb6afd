import { powerOfTwo } from '../../numeric/index.ts'
import { type Arrangement, arrange } from './arrangement.ts'
import { whole } from './closed-form.ts'
import type { BlurredLaw } from './error-law.ts'
import { absent, isDiscrete, type Term } from './law.ts'
import { negligible, stretch, walk } from './product.ts'
import { aliased } from './series.ts'
import { SineSeries } from './sine-series.ts'
import { tailReach } from './tail.ts'

/** Lattices with more points than this within the law's reach are left to the blurred series. */
const most = 2 ** 14
/** A coefficient is a multiple when it is one to this part of itself; the rest is paid for as blur. */
const tolerance = 1e-12

/** A step of which every coefficient is a whole multiple, when there is one above `least` (Euclid's algorithm). */
export function commonStep(terms: readonly Term[], least: number): number | undefined {
  let step = 0
  for (const { law, coefficient } of terms) {
    if (!isDiscrete(law)) return undefined
    let [a, b] = [Math.abs(coefficient), step]
    while (b > tolerance * a) [a, b] = [b, Math.abs(a - b * Math.round(a / b))]
    if (a < least) return undefined
    step = a
  }
  const fits = ({ coefficient }: Term) => Math.abs(offset(coefficient, step)) <= tolerance * Math.abs(coefficient)
  return step > 0 && terms.every(fits) ? step : undefined
}

const offset = (coefficient: number, step: number) => coefficient - step * Math.round(coefficient / step)

/**
 * How far coefficients that are multiples of the step only nearly can move the error, but with probability `aliased`.
 */
export function offsets(terms: readonly Term[], step: number): number {
  const rests = terms
    .map((term) => ({ ...term, coefficient: offset(term.coefficient, step) }))
    .filter((term) => term.coefficient !== 0)
  if (rests.length === 0) return 0
  const rest = arrange(rests)
  return tailReach(rest, aliased) * rest.deviation
}

/**
 * The law of an error whose coefficients share a step: with φ at N frequencies 2πn/N·step, Pr(|error| ≤ k steps) and its
 * repetitions are (2k+1)/N + (1/N)·Σ φ_n·sin(π(2k+1)n/N)/sin(πn/N) over 0 < n < N, a sine series between the steps.
 * Undefined where they share none or the lattice is too fine. `reach` is the arrangement's for a tail of `aliased`.
 */
export function latticeLaw(terms: readonly Term[], a: Arrangement, reach: number): BlurredLaw | undefined {
  const tail = reach * a.deviation
  const step = commonStep(terms, (2 * tail) / (most - 2))
  if (step === undefined) return undefined
  const points = Math.max(4, powerOfTwo((2 * tail) / step + 2))
  const blur = offsets(terms, step)
  const { series, slack } = seriesOver(a, points, step)
  const last = points / 2 - 1
  /** Pr(|error| ≤ k steps). */
  const upTo = (k: number) => (k < 0 ? 0 : k > last ? 1 : series.at(k + 0.5).sum)
  return {
    atMost: (w) => upTo(Math.floor(w / step + whole)),
    below: (w) => upTo(Math.ceil(w / step - whole) - 1),
    spacing: step,
    support: (last + 1) * step,
    blur,
    slack,
    halfWidth: (confidence) => {
      const k = firstReaching(series, confidence + slack, last, (2 * a.deviation) / step)
      return k > last ? tailReach(a, 1 - confidence) * a.deviation : k * step + blur
    },
  }
}

/** The sine series of the error's law, and how far its sums may be off. */
function seriesOver(a: Arrangement, points: number, step: number): { series: SineSeries; slack: number } {
  const series = new SineSeries(points)
  const factors = new Float64Array(stretch)
  // Two times what lies beyond the period; frequencies that are passed over, Σ 1/n < 10; noises that were left out.
  let slack = 2 * aliased + 10 * negligible + absent
  walk(a, (2 * Math.PI * a.deviation) / (points * step), points / 2, ({ first, values, errors }) => {
    for (let k = 0; k < stretch; k++) {
      const n = first + k
      const times = n < points / 2 ? 2 : n === points / 2 ? 1 : 0
      const weight = times === 0 ? 0 : times / (points * Math.sin((Math.PI * n) / points))
      factors[k] = values[k]! * weight
      slack += errors[k]! * weight
    }
    series.add(first, factors)
    return false
  })
  return { series, slack: slack + series.rounding }
}

/** The first k at which the series reaches the goal half a step on, or last + 1: Newton's method between brackets. */
function firstReaching(series: SineSeries, goal: number, last: number, guess: number): number {
  let [low, high] = [-1, last + 1]
  let k = Math.min(Math.floor(guess), last)
  while (high - low > 1) {
    const { sum, slope } = series.at(k + 0.5)
    if (sum >= goal) high = k
    else low = k
    const next = k + Math.ceil((goal - sum) / slope) - (sum >= goal ? 1 : 0)
    k = next > low && next < high ? next : (low + high) >> 1
  }
  return high
}
