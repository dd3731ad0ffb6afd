import type { Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import { type Bits, uniformBelow } from '../../random/index.ts'
import { exponentialCoin } from './coin.ts'
import { pickByLevel } from './levels.ts'

/** Plain trials that take as long as sorting the candidates does, about: more are wanted only where few of them are near the best. */
const plainTrials = (candidates: number) => Math.max(64, candidates >> 3)

/** Scores that are best looked at one by one, as long as few of them are asked for. */
interface Scores {
  readonly count: number
  readonly best: number | bigint | undefined
  at(place: number): number | bigint
  /** All of them one after the other. */
  all(): Integers
}

/**
 * The place of one score, drawn with probability ∝ exp(rate·score), exactly. A candidate drawn uniformly is kept with probability
 * exp(-rate·(best - score)); where that takes long, those behind are drawn less often and kept more often. No sum of weights is ever
 * formed. Throws RangeError unless rate > 0 and there is a candidate. Proof: docs/algorithms/exponential-mechanism.md
 */
export const pick = (scores: Integers, rate: Rational, bits: Bits): number =>
  pickAmong(
    { count: scores.length, best: greatest(scores), at: (place) => scores[place]!, all: () => scores },
    rate,
    bits,
  )

/** The same where the best of the scores is known. */
export function pickAmong({ count, best, at, all }: Scores, rate: Rational, bits: Bits): number {
  if (rate.num <= 0n || rate.den <= 0n) throw new RangeError('a selection needs a rate above 0')
  if (best === undefined) throw new RangeError('a selection needs a candidate')
  const keeps = exponentialCoin(rate, bits)
  const most = plainTrials(count)
  for (let trial = 0; trial < most; trial++) {
    const candidate = uniformBelow(count, bits)
    if (keeps(difference(best, at(candidate)))) return candidate
  }
  const scores = all()
  return pickByLevel(count, (place) => difference(best, scores[place]!), rate, bits)
}

/** A number where that is exact. */
function difference(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a - b)) return a - b
  return BigInt(a) - BigInt(b)
}

function greatest(values: Integers): number | bigint | undefined {
  let best = values[0]
  for (let i = 1; i < values.length; i++) if (values[i]! > best!) best = values[i]!
  return best
}
