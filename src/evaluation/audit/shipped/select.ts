import { rational, toNumber } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { select } from '../../../trusted/mechanism/index.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'

type Scores = readonly number[]

/** Per step of score; neighbouring scores differ by at most one step. */
const epsilon = rational(1)
/** The first rises and all others fall, which moves both the weight and the sum of weights; or one alone moves. */
const inputs: readonly (readonly [name: string, left: Scores, right: Scores])[] = [
  ['one score rises, seven fall', [1, 5, 3, 3, 3, 1, 1, 1], [2, 4, 2, 2, 2, 0, 0, 0]],
  ['one score falls', [4, 4, 4, 4], [3, 4, 4, 4]],
]

function law(scores: Scores): number[] {
  const weights = scores.map((score) => Math.exp((toNumber(epsilon) * score) / 2))
  const total = weights.reduce((sum, w) => sum + w, 0)
  return weights.map((w) => w / total)
}

function largestLoss(left: Scores, right: Scores): number {
  const [p, q] = [law(left), law(right)]
  return Math.max(...p.map((v, i) => Math.abs(Math.log(v / q[i]!))))
}

export const selectMechanism: Mechanism = {
  name: 'select',
  kind: 'shipped',
  about: 'the exponential mechanism over eight candidates',
  claim: { epsilon: toNumber(epsilon), delta: 0 },
  pairs: pairsOf(inputs, (scores: Scores, bits) => [
    `candidate ${select(seal(Float64Array.from(scores)), epsilon, bits)}`,
  ]),
  exact: () => Math.max(...inputs.map(([, left, right]) => largestLoss(left, right))),
}
