import { type Law, type Term, varianceOfError } from '../../inference/index.ts'
import { gaussianHalfWidth, gaussianPmf, gaussianTail, laplaceHalfWidth, laplacePmf } from '../../numeric/index.ts'
import { confidenceOfEach } from '../column/interval.ts'
import type { Direction, JointBound, Sector } from './sectors.ts'

/** Half a turn has so many sectors: a bound is at most 1% too wide in any of them. */
const sectors = 128
/** What lies beyond is taken for not covered. */
const beyond = 1e-13
/** From a Gaussian σ on sums are not kept in a table. */
const tabled = 1e4

/** A discrete law: those that meters draw from. */
type Drawn = Exclude<Law, { kind: 'continuous-laplace' }>
export type DrawnTerm = Term & { readonly law: Drawn }

/**
 * A bound for two independent noises from their exact laws: in each sector the smallest t such that both ends' sums lie
 * within ± t at once, as then every sum between them does. It holds for noise of any size, on its steps: quantiles of
 * such noise are no norm. The work is that of the smaller noise's steps. Proof: docs/algorithms/ratios.md
 */
export function boundOfTwoNoises(terms: readonly [DrawnTerm, DrawnTerm], confidence: number): JointBound {
  const [one, other] = terms
  const units = { x: 1 / Math.sqrt(varianceOfError([one])), y: 1 / Math.sqrt(varianceOfError([other])) }
  const each = confidenceOfEach(confidence, 2)
  const box = { x: reachOf(one, each), y: reachOf(other, each) }
  const holds = coverage(terms)
  const made: number[] = []
  const direction = (k: number): Direction => {
    const angle = (k * Math.PI) / sectors
    return { x: k === sectors / 2 ? 0 : units.x * Math.cos(angle), y: units.y * Math.sin(angle) }
  }
  const sector = (k: number): Sector => {
    if (k >= sectors / 2) return mirrored(sector(sectors - 1 - k))
    const [from, to] = [direction(k), direction(k + 1)]
    const widest = Math.max(...[from, to].map(({ x, y }) => x * box.x + y * box.y))
    made[k] ??= smallest(widest, (t) => holds(from, to, t) >= confidence)
    return { from, to, atFrom: made[k], atTo: made[k] }
  }
  return { sectors, units, sector, box }
}

/** The noises are as often above 0 as below. */
const mirrored = ({ from, to, atFrom, atTo }: Sector): Sector => ({
  from: { x: -to.x, y: to.y },
  to: { x: -from.x, y: from.y },
  atFrom: atTo,
  atTo: atFrom,
})

const halfWidthOf = (law: Drawn, confidence: number): number =>
  law.kind === 'laplace' ? laplaceHalfWidth(law.scale, confidence) : gaussianHalfWidth(law.variance, confidence)
const reachOf = ({ law, coefficient }: DrawnTerm, confidence: number) =>
  Math.abs(coefficient) * halfWidthOf(law, confidence)

/** At most 10^-5 above the smallest t that fits, of those up to the widest. */
function smallest(widest: number, fits: (t: number) => boolean): number {
  let [low, high] = [0, widest * (1 + 1e-9)]
  for (let i = 0; i < 17; i++) {
    const middle = (low + high) / 2
    if (fits(middle)) high = middle
    else low = middle
  }
  return high
}

/** Pr(both directions' sums lie within ± t): a sum over the steps of the smaller noise, and rounded down. */
function coverage(terms: readonly [DrawnTerm, DrawnTerm]): (from: Direction, to: Direction, t: number) => number {
  const [one, other] = terms
  const isTurned = stepsOf(other.law) > stepsOf(one.law)
  const [wide, narrow] = isTurned ? [other, one] : [one, other]
  const weights = ({ x, y }: Direction) => {
    const [a, b] = isTurned ? [y, x] : [x, y]
    return { wide: a * wide.coefficient, narrow: b * narrow.coefficient }
  }
  const masses = Float64Array.from({ length: stepsOf(narrow.law) + 1 }, (_, k) => massOf(narrow.law, k))
  const between = probabilityBetween(wide.law)
  return (from, to, t) => {
    const ends = [weights(from), weights(to)]
    let sum = 0
    for (let k = 0; k < masses.length; k++) {
      let [low, high] = [-Infinity, Infinity]
      for (const { wide: a, narrow: b } of ends) {
        if (a === 0) {
          if (Math.abs(b * k) > t) high = -Infinity
          continue
        }
        const [middle, half] = [(-b * k) / a, t / Math.abs(a)]
        low = Math.max(low, middle - half)
        high = Math.min(high, middle + half)
      }
      if (high >= low)
        sum += (k === 0 ? 1 : 2) * masses[k]! * between(Math.ceil(low + tiny(low)), Math.floor(high - tiny(high)))
    }
    return sum
  }
}

/** A step that is met only by rounding does not count. */
const tiny = (steps: number) => (Number.isFinite(steps) ? 1e-12 * (1 + Math.abs(steps)) : 0)

/** Steps on either side, but for a probability of `beyond`. */
export const stepsOf = (law: Drawn): number => halfWidthOf(law, 1 - beyond)
const massOf = (law: Drawn, k: number) =>
  law.kind === 'laplace' ? laplacePmf(law.scale, k) : gaussianPmf(law.variance, k)

/** Pr(low ≤ noise ≤ high) for whole numbers. */
function probabilityBetween(law: Drawn): (low: number, high: number) => number {
  const from = upperTail(law)
  return (low, high) => {
    if (high < low) return 0
    if (low > 0) return from(low) - from(high + 1)
    return high < 0 ? from(-high) - from(1 - low) : 1 - from(high + 1) - from(1 - low)
  }
}

/** Pr(noise ≥ k) for k ≥ 1. */
function upperTail(law: Drawn): (k: number) => number {
  if (law.kind === 'laplace') {
    const all = 1 + Math.exp(-1 / law.scale)
    return (k) => Math.exp(-k / law.scale) / all
  }
  if (law.variance > tabled ** 2) return (k) => (k < Infinity ? gaussianTail(law.variance, k - 1) / 2 : 0)
  const table = new Float64Array(stepsOf(law) + 2)
  for (let k = table.length - 2; k >= 1; k--) table[k] = table[k + 1]! + gaussianPmf(law.variance, k)
  // Left out of the table is what lies beyond: half of it on this side at most.
  return (k) => (k < table.length ? table[k]! : 0) + beyond / 2
}
