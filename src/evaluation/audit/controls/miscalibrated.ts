import { rational } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { laplace } from '../../../trusted/mechanism/index.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'

/** The shipped noise with a scale that somebody got wrong. */
export const shortScaleControl: Mechanism = {
  name: 'scale-30-percent-short',
  kind: 'control',
  about: 'discrete Laplace noise at 0.7 of the scale that the claim needs',
  claim: { epsilon: 1, delta: 0 },
  pairs: pairsOf([['counts 10 and 11', 10, 11]], (exact: number, bits) =>
    laplace(seal(Float64Array.of(exact)), rational(7, 10), bits),
  ),
  exact: () => 10 / 7,
}

/** The largest value of a person, and what a loop that stops one too early takes for it. */
const largest = 4
const assumed = largest - 1

export const offByOneControl: Mechanism = {
  name: 'sensitivity-off-by-one',
  kind: 'control',
  about: `a sum of values 0 … ${largest}, its noise made for a sensitivity of ${assumed}`,
  claim: { epsilon: 1, delta: 0 },
  pairs: pairsOf(
    [
      ['a person with value 1 joins', 20, 21],
      [`a person with value ${largest} joins`, 20, 20 + largest],
    ],
    (exact: number, bits) => laplace(seal(Float64Array.of(exact)), rational(assumed), bits),
  ),
  exact: () => largest / assumed,
}
