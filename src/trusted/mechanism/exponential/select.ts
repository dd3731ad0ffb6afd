import type { Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, bernoulliExp, bernoulliExpBig, systemBits, uniformBelow } from '../../random/index.ts'

/**
 * The exponential mechanism: the index of one candidate, drawn with probability ∝ exp(epsilon·score/2), exactly. Scores
 * are integers, in steps of their grid, and `epsilon` is per step.
 *
 * Guarantee: where no score differs by more than Δ steps between neighbouring data sets, the choice costs every record
 * epsilon·Δ. A candidate drawn uniformly is kept with probability exp(-epsilon·(best - score)/2). The best one is
 * always kept, so among n candidates at most n trials are expected: linear, whatever the scores, and no sum of weights
 * is ever formed. Throws RangeError unless epsilon > 0 and there is a candidate. Proof:
 * docs/algorithms/exponential-mechanism.md
 */
export function select(scores: Exact<Integers>, epsilon: Rational, bits: Bits = systemBits): number {
  if (epsilon.num <= 0n || epsilon.den <= 0n) throw new RangeError('a selection needs an epsilon above 0')
  const values = open(scores)
  if (values.length === 0) throw new RangeError('a selection needs a candidate')
  const best = greatest(values)
  const keeps = coin({ num: epsilon.num, den: 2n * epsilon.den }, bits)
  for (;;) {
    const candidate = uniformBelow(values.length, bits)
    if (keeps(best, values[candidate]!)) return candidate
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
