import { rational, toNumber } from '../../../numeric/index.ts'
import { epsilonOfRho } from '../../../trusted/accounting/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { gaussian } from '../../../trusted/mechanism/index.ts'
import { epsilonOfLaws } from '../laws.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'

type Vector = readonly number[]

const variance = rational(4)
/** Large, so that what happens beyond it is seen often. */
const delta = 1e-3
/** In standard deviations: the mass beyond is below 10^-22, far below what δ leaves to see. */
const reach = 10

/** The probabilities of all outcomes near the answers, cell by cell. */
function law(exact: Vector): number[] {
  const width = Math.ceil(reach * Math.sqrt(toNumber(variance)))
  const outcomes = Array.from({ length: 2 * width + 1 }, (_, i) => i - width)
  const weight = (d: number) => Math.exp((-d * d) / (2 * toNumber(variance)))
  const total = outcomes.reduce((sum, k) => sum + weight(k), 0)
  return exact.reduce<number[]>(
    (joint, answer) => joint.flatMap((p) => outcomes.map((k) => (p * weight(k - answer)) / total)),
    [1],
  )
}

/** `squared` is the squared length of the change that the pair makes: the mechanism costs squared/2σ² in ρ. */
function gaussianMechanism(name: string, about: string, squared: number, left: Vector, right: Vector): Mechanism {
  return {
    name,
    kind: 'shipped',
    about,
    claim: { epsilon: epsilonOfRho(squared / (2 * toNumber(variance)), delta), delta },
    pairs: pairsOf([[`counts (${left}) and (${right})`, left, right]], (exact: Vector, bits) =>
      gaussian(seal(Float64Array.from(exact)), variance, bits),
    ),
    exact: () => epsilonOfLaws(law(left), law(right), delta),
  }
}

export const gaussianMechanisms: readonly Mechanism[] = [
  gaussianMechanism('gaussian', 'discrete Gaussian noise of variance 4 on one count', 1, [0], [1]),
  gaussianMechanism('gaussian-replace', 'the same on two counts between which a record moves', 2, [1, 0], [0, 1]),
]
