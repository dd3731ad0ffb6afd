import { laplacePmf, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { laplace, openPaths, refine } from '../../../trusted/mechanism/index.ts'
import type { Bits } from '../../../trusted/random/index.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'

/** The scales of an answer, from the first released to the last. */
const scales = [rational(4), rational(2), rational(1)] as const
const inverse = scales.map((scale) => 1 / toNumber(scale)) as [number, number, number]

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
  const [path] = openPaths({ exact: [seal(Float64Array.of(exact))], grid }, bits)
  return grid.map((_, i) => {
    path!.lower(grid.length - 1 - i)
    return path!.values()[0]!
  })
}

/** Probability of the first, second and third answer, given the exact one. */
type JointLaw = (exact: number, first: number, second: number, third: number) => number

/** As refine draws: each answer given the one before, from the three geometric laws that its comment names. */
const conditional: JointLaw = (exact, first, second, third) => {
  const [b2, b1, b0] = inverse
  return (
    laplacePmf(1 / b2, first - exact) *
    sharpened(b2, b1, first - exact, second - exact) *
    sharpened(b1, b0, second - exact, third - exact)
  )
}

/** Pr(new noise | old noise) of one refinement, from inverse scale `old` to `fresh`. */
function sharpened(old: number, fresh: number, noise: number, drawn: number): number {
  const [n, k] = noise < 0 ? [-noise, -drawn] : [noise, drawn]
  const [inward, outward, stay] = [Math.exp(old - fresh), Math.exp(-old - fresh), Math.exp(-2 * old)]
  const crosses = ((1 - inward) * outward) / (1 - inward * outward)
  if (k < 0) return crosses * (1 - outward) * outward ** (-k - 1)
  const between = k <= n ? (1 - inward) * inward ** k : 0
  const stays = (1 - stay) / (1 - stay * inward)
  const beyond = k < n ? 0 : k === n ? stays : (1 - stays) * (1 - outward) * outward ** (k - n - 1)
  return (1 - crosses) * (between + inward ** (n + 1) * beyond)
}

/** As a path is drawn: the last answer first, then what each step up adds to its noise. */
const upward: JointLaw = (exact, first, second, third) => {
  const [b2, b1, b0] = inverse
  return laplacePmf(1 / b0, third - exact) * added(b0, b1, second - third) * added(b1, b2, first - second)
}

/** Pr(v) of one step up to inverse scale `coarse`: nothing with probability p, else discrete Laplace noise of that scale. */
function added(fine: number, coarse: number, v: number): number {
  const p = (Math.sinh(coarse / 2) / Math.sinh(fine / 2)) ** 2
  return (v === 0 ? p : 0) + (1 - p) * laplacePmf(1 / coarse, v)
}

/** Answers this far from the exact ones; every law is geometric beyond them, so losses there repeat those at the edge. */
const reach = 6

/** The supremum of the loss of all three answers together between exact answers 0 and 1, by enumeration. */
function supremum(law: JointLaw): number {
  const seen = Array.from({ length: 2 * reach + 2 }, (_, i) => i - reach)
  let worst = 0
  for (const first of seen)
    for (const second of seen)
      for (const third of seen)
        worst = Math.max(worst, Math.abs(Math.log(law(0, first, second, third) / law(1, first, second, third))))
  return worst
}

const inputs = [['exact answers 0 and 1', 0, 1]] as const
const claim = { epsilon: inverse[2], delta: 0 }

export const refinementMechanisms: readonly Mechanism[] = [
  {
    name: 'refinement',
    kind: 'shipped',
    about: 'an answer of scale 4 refined to 2 and then to 1, all seen, for the price of the last',
    claim,
    pairs: pairsOf(inputs, refineTwice),
    exact: () => supremum(conditional),
  },
  {
    name: 'refinement-path',
    kind: 'shipped',
    about: 'the same answers as one noise path, revealed from the top down',
    claim,
    pairs: pairsOf(inputs, revealPath),
    exact: () => supremum(upward),
  },
]
