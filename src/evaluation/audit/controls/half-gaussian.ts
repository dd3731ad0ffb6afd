import { rational, toNumber } from '../../../numeric/index.ts'
import { epsilonOfRho } from '../../../trusted/accounting/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { gaussian } from '../../../trusted/mechanism/index.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'

/** What the claim needs. The δ is large so that what happens beyond it is seen often. */
const variance = rational(16)
const delta = 1e-3
const halfSigma = rational(variance.num, 4n * variance.den)

export const halfGaussianControl: Mechanism = {
  name: 'gaussian-half-sigma',
  kind: 'control',
  about: 'discrete Gaussian noise with half the standard deviation that the claim needs',
  claim: { epsilon: epsilonOfRho(1 / (2 * toNumber(variance)), delta), delta },
  pairs: pairsOf([['counts 0 and 1', 0, 1]], (exact: number, bits) =>
    gaussian(seal(Float64Array.of(exact)), halfSigma, bits),
  ),
}
