import type { Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, discreteGaussians, systemBits } from '../../random/index.ts'
import { plain, sum } from '../sum.ts'

/**
 * The exact answer plus independent discrete Gaussian noise, Pr(k) ∝ exp(-k²/2σ²), on every integer; `variance` is σ².
 *
 * Guarantee: for two data sets whose answers differ by the integer vector d, the Rényi divergence of every order α is
 * at most α·Σd_i²/2σ²: a record t pays q(t)²/2σ² in ρ (zCDP). There is no finite ε. Throws RangeError unless variance >
 * 0. Proof: docs/algorithms/discrete-gaussian.md
 */
export function gaussian(exact: Exact<Integers>, variance: Rational, bits: Bits = systemBits): Integers {
  const values = open(exact)
  return plain(sum(values, discreteGaussians(variance, values.length, bits)))
}
