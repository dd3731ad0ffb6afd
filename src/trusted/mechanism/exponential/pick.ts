import type { Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import { type Bits, bernoulliExp, bernoulliExpBig, uniformBelow } from '../../random/index.ts'

/**
 * The index of one score, drawn with probability ∝ exp(rate·score), exactly. A candidate drawn uniformly is kept with
 * probability exp(-rate·(best - score)). The best one is always kept, so among n candidates at most n trials are
 * expected: linear, whatever the scores, and no sum of weights is ever formed. Throws RangeError unless rate > 0 and there
 * is a candidate.
 */
export function pick(scores: Integers, rate: Rational, bits: Bits): number {
  if (rate.num <= 0n || rate.den <= 0n) throw new RangeError('a selection needs a rate above 0')
  if (scores.length === 0) throw new RangeError('a selection needs a candidate')
  const best = greatest(scores)
  const keeps = coin(rate, bits)
  for (;;) {
    const candidate = uniformBelow(scores.length, bits)
    if (keeps(best, scores[candidate]!)) return candidate
  }
}

function greatest(values: Integers): number | bigint {
  let best = values[0]!
  for (let i = 1; i < values.length; i++) if (values[i]! > best) best = values[i]!
  return best
}

/**
 * True with probability exp(-rate·(best - score)): in doubles where every product is a safe integer, else in BigInts.
 */
function coin({ num, den }: Rational, bits: Bits): (best: number | bigint, score: number | bigint) => boolean {
  const [n, d] = [Number(num), Number(den)]
  const small = Number.isSafeInteger(n) && Number.isSafeInteger(d)
  return (best, score) => {
    if (small && typeof best === 'number' && typeof score === 'number') {
      const behind = best - score
      if (Number.isSafeInteger(behind) && Number.isSafeInteger(n * behind)) return bernoulliExp(n * behind, d, bits)
    }
    return bernoulliExpBig(num * (BigInt(best) - BigInt(score)), den, bits)
  }
}
