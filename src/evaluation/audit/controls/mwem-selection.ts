import type { Bits } from '../../../trusted/random/index.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'
import { uniforms } from './float.ts'

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
