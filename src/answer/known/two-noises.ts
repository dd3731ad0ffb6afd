import { type Law, type Term, varianceOfError } from '../../inference/index.ts'
import {
  gaussianHalfWidth,
  gaussianPmf,
  gaussianTail,
  laplaceHalfWidth,
  laplacePmf,
  laplaceTail,
} from '../../numeric/index.ts'
import { confidenceOfEach } from '../column/interval.ts'
import type { Between, Direction, JointBound } from './sectors.ts'

/** Half a turn has so many sectors: a bound is at most 1% too wide in any of them. */
const sectors = 128
/** The part of the doubt that lies beyond what is added up, and is taken for not covered. */
const beyond = 1e-7
/** Sums over so many steps are kept in a table. */
const tabled = 2 ** 17

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
  const holds = coverage(terms, stepsBeyond(confidence))
  const direction = (k: number): Direction => {
    const angle = (k * Math.PI) / sectors
    return { x: k === sectors / 2 ? 0 : units.x * Math.cos(angle), y: units.y * Math.sin(angle) }
  }
  const directions = (k: number): Between => ({ from: direction(k), to: direction(k + 1) })
  const fits = (k: number, t: number) => holds(directions(k), t) >= confidence
  const made: number[] = []
  const widest = (k: number) => Math.max(...[k, k + 1].map(direction).map(({ x, y }) => x * box.x + y * box.y))
  // The noises are as often above 0 as below, so the second quarter is the first one's mirror image.
  const mirrored = (k: number) => Math.min(k, sectors - 1 - k)
  const bound = (k: number) => {
    made[k] ??= smallest(widest(k), (t) => fits(k, t))
    return made[k]
  }
  return {
    sectors,
    units,
    box,
    directions,
    sector: (k) => ({ ...directions(k), atFrom: bound(mirrored(k)), atTo: bound(mirrored(k)) }),
    isWithin: (k, atFrom, atTo) => {
      const t = Math.min(atFrom, atTo)
      return (made[k] ?? widest(mirrored(k))) <= t || fits(mirrored(k), t)
    },
  }
}

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
function coverage(
  terms: readonly [DrawnTerm, DrawnTerm],
  steps: (law: Drawn) => number,
): (ends: Between, t: number) => number {
  const [one, other] = terms
  const isTurned = steps(other.law) > steps(one.law)
  const [wide, narrow] = isTurned ? [other, one] : [one, other]
  const weights = ({ x, y }: Direction) => {
    const [a, b] = isTurned ? [y, x] : [x, y]
    return { wide: a * wide.coefficient, narrow: b * narrow.coefficient }
  }
  const masses = Float64Array.from({ length: steps(narrow.law) + 1 }, (_, k) => massOf(narrow.law, k))
  const between = probabilityBetween(wide.law, steps(wide.law))
  return ({ from, to }, t) => {
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

/** Steps on either side, but for a negligible part of the doubt. */
export const stepsBeyond =
  (confidence: number) =>
  (law: Drawn): number =>
    halfWidthOf(law, 1 - beyond * (1 - confidence))
const massOf = (law: Drawn, k: number) =>
  law.kind === 'laplace' ? laplacePmf(law.scale, k) : gaussianPmf(law.variance, k)

/** Pr(low ≤ noise ≤ high) for whole numbers, at most, and less by what lies beyond so many steps. */
function probabilityBetween(law: Drawn, steps: number): (low: number, high: number) => number {
  const last = Math.min(steps, tabled)
  // Pr(noise ≥ k): from the last on, and before it step by step.
  const tails = new Float64Array(last + 2)
  tails[last + 1] = tailOf(law, last) / 2
  for (let k = last; k >= 1; k--) tails[k] = tails[k + 1]! + massOf(law, k)
  const outside = tailOf(law, steps) / 2
  const from = (k: number) => (k <= last ? tails[k]! : k <= steps ? tailOf(law, k - 1) / 2 : outside)
  return (low, high) => {
    if (high < low) return 0
    if (low > 0) return from(low) - from(high + 1)
    return high < 0 ? from(-high) - from(1 - low) : 1 - from(high + 1) - from(1 - low)
  }
}
const tailOf = (law: Drawn, k: number) =>
  law.kind === 'laplace' ? laplaceTail(law.scale, k) : gaussianTail(law.variance, k)
