import type { Integers, NoiseLaw } from '../../query/index.ts'
import type { Exact } from '../exact/index.ts'
import { open } from '../exact/open.ts'
import { type Bits, discreteGaussians, discreteLaplaces, systemBits } from '../random/index.ts'
import { distance } from './distance.ts'
import { plain, sum } from './sum.ts'

/**
 * How far the exact answers are from a public model, Σ|answer - model|, told with noise: one integer.
 *
 * Guarantee: one protected unit moves the distance by no more than it moves the answers in L1, so this costs what a single
 * number of that sensitivity costs under the same law. Proof: docs/algorithms/exponential-mechanism.md
 */
export function noisyDistance(
  exact: Exact<Integers>,
  model: Integers,
  law: Exclude<NoiseLaw, { kind: 'none' }>,
  bits: Bits = systemBits,
): Integers {
  const far = distance(open(exact), model)
  const noise = law.kind === 'laplace' ? discreteLaplaces(law.scale, 1, bits) : discreteGaussians(law.variance, 1, bits)
  return plain(sum(typeof far === 'number' ? Float64Array.of(far) : [far], noise))
}
