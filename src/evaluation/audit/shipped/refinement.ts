import { laplacePmf, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { laplace, openPaths, refine } from '../../../trusted/mechanism/index.ts'
import type { Bits } from '../../../trusted/random/index.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'

/** The scales of an answer, from the first released to the last. */
const scales = [rational(4), rational(2), rational(1)] as const
const last = toNumber(scales.at(-1)!)

/** An answer, refined twice, the second time from the first refinement: all three are seen. */
function refineTwice(exact: number, bits: Bits): Output {
  const sealed = seal(Float64Array.of(exact))
  const [from, middle, to] = scales
  const first = laplace(sealed, from, bits)
  const second = refine({ exact: sealed, released: first, from, to: middle }, bits)
  const third = refine({ exact: sealed, released: second, from: middle, to }, bits)
  return [first[0]!, second[0]!, third[0]!]
}

/** The same answers as one path, revealed from the top. */
function revealPath(exact: number, bits: Bits): Output {
  const grid: Rational[] = [...scales].reverse()
  const path = openPaths({ exact: seal(Float64Array.of(exact)), grid }, bits)
  return grid.map((_, i) => {
    path.lower(grid.length - 1 - i)
    return path.values()[0]!
  })
}

/** Pr(v) of what one step up adds to the noise: nothing with probability p, else discrete Laplace noise of the larger scale. */
function stepLaw(to: number, from: number): (v: number) => number {
  const p = (Math.sinh(1 / (2 * from)) / Math.sinh(1 / (2 * to))) ** 2
  return (v) => (v === 0 ? p : 0) + (1 - p) * laplacePmf(from, v)
}

/** Values this far from the exact answers: beyond, every loss repeats one inside. */
const reach = 6

/** The supremum of the loss of the joint law of all three answers between exact answers 0 and 1, by enumeration. */
function supremum(): number {
  const [b2, b1, b0] = scales.map(toNumber) as [number, number, number]
  const [up, upper] = [stepLaw(b0, b1), stepLaw(b1, b2)]
  const joint = (x: number, first: number, second: number, third: number) =>
    laplacePmf(b0, third - x) * up(second - third) * upper(first - second)
  let worst = 0
  for (let first = -reach; first <= reach + 1; first++)
    for (let second = -reach; second <= reach + 1; second++)
      for (let third = -reach; third <= reach + 1; third++)
        worst = Math.max(worst, Math.abs(Math.log(joint(0, first, second, third) / joint(1, first, second, third))))
  return worst
}

const inputs = [['exact answers 0 and 1', 0, 1]] as const
const claim = { epsilon: 1 / last, delta: 0 }

export const refinementMechanisms: readonly Mechanism[] = [
  {
    name: 'refinement',
    kind: 'shipped',
    about: 'an answer of scale 4 refined to 2 and then to 1, all seen, for the price of the last',
    claim,
    pairs: pairsOf(inputs, refineTwice),
    exact: supremum,
  },
  {
    name: 'refinement-path',
    kind: 'shipped',
    about: 'the same answers as one noise path, revealed from the top down',
    claim,
    pairs: pairsOf(inputs, revealPath),
    exact: supremum,
  },
]
