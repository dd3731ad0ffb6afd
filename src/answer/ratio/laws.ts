import { posteriorByCharacteristic } from '../../inference/index.ts'
import { fromNumber, one, toNumber } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import { type AnswerCharge, isPublic, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { boundOfNoises } from '../known/joint.ts'
import { noiseOf } from '../known/known-part.ts'
import { largestBound } from '../known/sectors.ts'
import type { Ratio } from './ratio.ts'

/** A ratio, and half the width that is wanted of numerator / denominator itself. */
export interface RatioGoal {
  readonly ratio: Ratio
  readonly within: number
}

/** What is known about a ratio before its parts are bought. */
export interface Situation {
  /** The denominator is at least so far from 0. */
  readonly bound: number
  /** The ratio is at most so far from 0. */
  readonly most: number
}

interface Sureness {
  /** Of the ratio's interval. */
  readonly confidence: number
  /** Of everything that its width hangs on. */
  readonly sure: number
}

/**
 * Numerator and denominator, measured just so precisely that Fieller's interval has the half-width wanted if the
 * situation is as said; undefined where that says too little. All ratios r that the interval keeps have
 * |r̂ - r|·|denominator's estimate| ≤ h(1, -r), which is largest where |r| is; and the estimate lies within the
 * denominator's own half-width of it. How the price is shared follows from the variances: the sum of prices is least,
 * for a given variance of numerator - r·denominator, where the cubes of the two noises are as the prices of a unit
 * (for Gaussian noise: the fourth powers). Proof: docs/algorithms/ratios.md
 */
export class RatioLaws {
  readonly #goal: RatioGoal
  readonly #pair: readonly [LinearQuery, LinearQuery]
  readonly #sureness: Sureness
  readonly #book: Book
  /** What the last search needed per size: half-widths hardly bend from a straight line, so the next one starts there. */
  #slope = 0

  constructor(goal: RatioGoal, parts: readonly LinearQuery[], sureness: Sureness, book: Book) {
    this.#goal = goal
    this.#pair = [parts[goal.ratio.numerator.part]!, parts[goal.ratio.denominator.part]!]
    this.#sureness = sureness
    this.#book = book
  }

  for({ bound, most }: Situation): readonly [AnswerCharge, AnswerCharge] | undefined {
    const make = this.#maker({ bound, most })
    if (!make) return undefined
    const goal = this.#goal.within * bound * (1 - spare)
    return largest(make, this.#slope > 0 ? goal / this.#slope : 1, (pair, size) => {
      const needed = this.#needs(pair, most)
      this.#slope = needed / size
      return needed / goal
    })
  }

  /** The same, as far as the last search tells: quick, to weigh what might be. */
  about({ bound, most }: Situation): readonly [AnswerCharge, AnswerCharge] | undefined {
    if (this.#slope === 0) return this.for({ bound, most })
    return this.#maker({ bound, most })?.((this.#goal.within * bound) / this.#slope)
  }

  #maker({ bound, most }: Situation): ((size: number) => readonly [AnswerCharge, AnswerCharge]) | undefined {
    if (!(bound > 0 && bound < Infinity && most < Infinity)) return undefined
    const { within, ratio } = this.#goal
    const above = part(this.#pair[0], Math.abs(ratio.numerator.times), this.#book)
    const below = part(this.#pair[1], (most + within) * Math.abs(ratio.denominator.times), this.#book)
    return (size) => [above(size), below(size)]
  }

  #needs([over, under]: readonly [AnswerCharge, AnswerCharge], most: number): number {
    const { within, ratio } = this.#goal
    const { confidence, sure } = this.#sureness
    const bound = boundOfNoises([noiseOf(over), noiseOf(under)], confidence)
    const widest = largestBound(bound, {
      x: Math.abs(ratio.numerator.times),
      y: most * Math.abs(ratio.denominator.times),
    })
    const off = posteriorByCharacteristic(noiseOf(under, ratio.denominator.times)).halfWidth(sure)
    return widest + within * off
  }
}

/** Noise for a part that weighs so much in the sum, by the size that all noises have in common. */
function part(
  query: LinearQuery,
  weight: number,
  { universe, terms: privacy, cap }: Book,
): (size: number) => AnswerCharge {
  const terms = { universe, privacy }
  if (isPublic(query, terms)) return () => ({ kind: 'measurement', query, law: { kind: 'none' } })
  const inSum = weight * toNumber(query.step)
  const rounded = (x: number) => fromNumber(Number(x.toPrecision(6)))
  const lawOf: (size: number) => NoiseLaw =
    cap.rho === null
      ? (size) => ({ kind: 'laplace', scale: rounded((size * Math.cbrt(inSum * unitScale)) / inSum) })
      : (size) => ({ kind: 'gaussian', variance: rounded(((size * Math.sqrt(inSum * unitScale)) / inSum) ** 2) })
  // In steps, for a price of 1: of ε, or of ρ where a price goes with the square.
  const unitScale =
    cap.rho === null ? toNumber(scaleFor(query, one, terms)) : Math.sqrt(toNumber(varianceFor(query, one, terms)))
  return (size) => ({ kind: 'measurement', query, law: lawOf(size) })
}

/** And stays this far below, so that rounding does not make an interval wider than was asked. */
const spare = 1e-9
/** A search ends this near below what is wanted. */
const near = 0.995

/** What nearly the largest size makes whose need is at most 1, starting from about there. */
function largest<T>(make: (size: number) => T, start: number, need: (made: T, size: number) => number): T {
  const aim = (1 + near) / 2
  let [size, low, high] = [aim * start, 0, Infinity]
  let best: T | undefined
  for (let i = 0; i < 200; i++) {
    const made = make(size)
    const share = need(made, size)
    if (share <= 1) {
      best = made
      low = size
    } else high = size
    if (best !== undefined && (i > 30 || (share <= 1 ? share > near : high < low * 1.001))) break
    const guess = share > 0 ? (size * aim) / share : 16 * size
    size = guess > low && guess < high ? guess : high < Infinity ? (low + high) / 2 : 2 * size
  }
  return best!
}
