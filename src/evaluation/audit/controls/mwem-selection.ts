import type { Bits } from '../../../trusted/random/index.ts'
import { likelihood } from '../feature.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'
import { floatLaplace, uniforms } from './float.ts'

/** Counting queries over five cells: the first cell alone, and the second with none, one or two of the others. */
const queries = [[0], [1], [1, 2], [1, 3], [1, 4], [1, 2, 3], [1, 2, 4], [1, 3, 4]]
const cells = 5
/** ε₀ of Algorithm 1 in the arXiv version. */
const epsilon = 2

/** n|d(f)| of step 1: by how many records each query's answer is off the uniform start. */
function scores(counts: readonly number[]): number[] {
  const n = counts.reduce((sum, c) => sum + c, 0)
  return queries.map((q) => Math.abs(q.reduce((sum, cell) => sum + counts[cell]!, 0) - (n * q.length) / cells))
}

/** Pr(f) ∝ exp(ε₀ n|d(f)|/2), as printed. */
function selectionLaw(counts: readonly number[]): number[] {
  const weights = scores(counts).map((s) => Math.exp((epsilon * s) / 2))
  const total = weights.reduce((sum, w) => sum + w, 0)
  return weights.map((w) => w / total)
}

function select(counts: readonly number[], bits: Bits): number {
  let u = uniforms(bits)()
  return Math.max(
    0,
    selectionLaw(counts).findIndex((p) => {
      u -= p
      return u < 0
    }),
  )
}

/** Ten records; one of them moves from the second cell to the first. */
const before = [3, 7, 0, 0, 0]
const after = [4, 6, 0, 0, 0]

export const mwemSelectionControl: Mechanism = {
  name: 'mwem-arxiv-selection',
  kind: 'control',
  about: 'selection ∝ exp(ε₀ n|d|/2) counted as ε₀/2: numerator and normaliser both move, so it is ε₀',
  claim: { epsilon: epsilon / 2, delta: 0 },
  pairs: pairsOf([['a record moves', before, after]], (counts: readonly number[], bits) => [
    `query ${select(counts, bits)}`,
  ]),
  exact: () => {
    const [p, q] = [selectionLaw(before), selectionLaw(after)]
    return Math.max(...p.map((v, i) => Math.abs(Math.log(v / q[i]!))))
  },
}

/** q(B) of each query. */
const answers = (counts: readonly number[]): number[] =>
  queries.map((q) => q.reduce((sum, cell) => sum + counts[cell]!, 0))

type Choose = (counts: readonly number[], bits: Bits) => number
type Inputs = readonly (readonly [name: string, left: readonly number[], right: readonly number[]])[]

/** A round: a choice, and an answer to what was chosen. */
const round = (inputs: Inputs, choose: Choose, scale: number) =>
  pairsOf(inputs, (counts: readonly number[], bits) => {
    const chosen = choose(counts, bits)
    return [`query ${chosen}`, answers(counts)[chosen]! + floatLaplace(scale, uniforms(bits))]
  })

/** Both together: neither the choice nor the answer alone loses enough to be caught. */
const both = likelihood('choice and answer', (o: Output) => `${o[0]} ${Math.round(Number(o[1]))}`)

/** Where a choice has no noise, one record decides it. */
function furthest(counts: readonly number[]): number {
  const all = scores(counts)
  return all.lastIndexOf(Math.max(...all))
}
/** The first two queries are equally far from the uniform start; one record later the first is further. */
const tied: Inputs = [['a record breaks a tie', [5, 5, 0, 0, 0], [6, 4, 0, 0, 0]]]

/** Whole rounds of MWEM, broken. */
export const mwemRoundControls: readonly Mechanism[] = [
  {
    name: 'mwem-arxiv-round',
    kind: 'control',
    about: 'a round of the arXiv version as printed, counted as ε₀: the choice costs ε₀ and the answer half as much',
    claim: { epsilon, delta: 0 },
    pairs: round([['a record moves', before, after]], select, 2 / epsilon),
    features: [both],
  },
  {
    name: 'mwem-choice-without-noise',
    kind: 'control',
    about: 'a round of MWEM that takes the worst query, whichever it is, and counts its answer alone',
    claim: { epsilon, delta: 0 },
    pairs: round(tied, furthest, 1 / epsilon),
    features: [both],
  },
]
