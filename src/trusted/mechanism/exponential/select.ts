import { multiply, type Rational, rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, systemBits } from '../../random/index.ts'
import { pick } from './pick.ts'

/**
 * The exponential mechanism: the index of one candidate, drawn with probability ∝ exp(epsilon·score/2), exactly. Scores
 * are integers, in steps of their grid, and `epsilon` is per step.
 *
 * Guarantee: where no score differs by more than Δ steps between neighbouring data sets, the choice costs every record
 * epsilon·Δ. Throws RangeError unless epsilon > 0 and there is a candidate. Proof:
 * docs/algorithms/exponential-mechanism.md
 */
export const select = (scores: Exact<Integers>, epsilon: Rational, bits: Bits = systemBits): number =>
  pick(open(scores), multiply(rational(1, 2), epsilon), bits)
