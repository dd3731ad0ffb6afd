import { laplacePmf, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { laplace } from '../../../trusted/mechanism/index.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'

type Vector = readonly number[]
type Inputs = readonly (readonly [name: string, left: Vector, right: Vector])[]

/** Cells farther from both answers than this many scales repeat the loss of those at the edge: both tails are geometric. */
const reach = 5

/** The supremum of the loss: cells are independent, so it is the sum of each cell's, by enumeration of its outcomes. */
function supremum(inputs: Inputs, scale: number): number {
  const cell = (a: number, b: number) => {
    let worst = 0
    const [low, high] = [Math.min(a, b) - Math.ceil(reach * scale), Math.max(a, b) + Math.ceil(reach * scale)]
    for (let k = low; k <= high; k++)
      worst = Math.max(worst, Math.abs(Math.log(laplacePmf(scale, k - a) / laplacePmf(scale, k - b))))
    return worst
  }
  return Math.max(...inputs.map(([, left, right]) => left.reduce((sum, a, i) => sum + cell(a, right[i]!), 0)))
}

function laplaceMechanism(
  name: string,
  about: string,
  scale: Rational,
  sensitivity: number,
  inputs: Inputs,
): Mechanism {
  return {
    name,
    kind: 'shipped',
    about,
    claim: { epsilon: sensitivity / toNumber(scale), delta: 0 },
    pairs: pairsOf(inputs, (exact: Vector, bits) => laplace(seal(Float64Array.from(exact)), scale, bits)),
    exact: () => supremum(inputs, toNumber(scale)),
  }
}

/** Too wide for doubles to draw from fast: the same law from big integers. */
const wide = 10n ** 12n
const largeLaplace: Mechanism = {
  name: 'laplace-large',
  kind: 'shipped',
  about: 'discrete Laplace noise on a sum of large weights, scale 10^12, in big integers',
  claim: { epsilon: 1, delta: 0 },
  pairs: pairsOf([['sums 0 and 10^12', 0n, wide]], (exact: bigint, bits) =>
    laplace(seal([exact]), rational(wide), bits),
  ),
}

export const laplaceMechanisms: readonly Mechanism[] = [
  laplaceMechanism('laplace', 'discrete Laplace noise on one count, scale 1', rational(1), 1, [
    ['counts 0 and 1', [0], [1]],
    ['counts 1000 and 1001', [1000], [1001]],
  ]),
  laplaceMechanism('laplace-fraction', 'the same with scale 7/3 on a sum whose weights go up to 3', rational(7, 3), 3, [
    ['sums 5 and 8', [5], [8]],
    ['sums 0 and -3', [0], [-3]],
  ]),
  laplaceMechanism('laplace-marginal', 'a marginal of four cells, a record added, scale 1', rational(1), 1, [
    ['a record in an empty cell', [4, 0, 2, 9], [4, 1, 2, 9]],
    ['a record in the last cell', [4, 0, 2, 9], [4, 0, 2, 10]],
  ]),
  laplaceMechanism('laplace-marginal-replace', 'a marginal of four cells, a record replaced, scale 2', rational(2), 2, [
    ['a record moves between cells', [4, 1, 2, 9], [4, 0, 3, 9]],
    ['a record moves to the end', [1, 0, 0, 0], [0, 0, 0, 1]],
  ]),
  largeLaplace,
]
