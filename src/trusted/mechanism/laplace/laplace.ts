import type { Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, discreteLaplaces, systemBits } from '../../random/index.ts'
import { plain, sum } from '../sum.ts'

/**
 * The exact answer plus independent discrete Laplace noise, Pr(k) ∝ exp(-|k|/scale), on every integer.
 *
 * Guarantee: for two data sets whose answers differ by the integer vector d, no output is likelier under one than
 * exp(Σ|d_i|/scale) times under the other; a record t that adds q(t) steps therefore pays |q(t)|/scale, a marginal
 * 1/scale. It holds for the program as run, not for an idealised one: draws and sums are exact integers. Throws
 * RangeError unless scale > 0. Proof: docs/algorithms/discrete-laplace.md
 */
export function laplace(exact: Exact<Integers>, scale: Rational, bits: Bits = systemBits): Integers {
  const values = open(exact)
  return plain(sum(values, discreteLaplaces(scale, values.length, bits)))
}
