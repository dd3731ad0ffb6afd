import type { Interval, LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { symmetricEigenvalues } from './symmetric-eigenvalues.ts'

/**
 * The least mean squared error per query that any matrix mechanism can have at (ε, δ) on these queries (Li and Miklau 2011,
 * Theorem 6): 2·ln(2/δ)/ε² · (Σ singular values)²/cells, over the number of queries. Every query is one product of
 * intervals.
 */
export function svdBound(
  queries: readonly LinearQuery[],
  universe: Universe,
  { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
): number {
  const cells = universe.attributes.reduce((product, { size }) => product * size, 1)
  const nuclear = singularSum(queries, universe)
  return ((2 * Math.log(2 / delta)) / epsilon ** 2) * (nuclear ** 2 / cells / queries.length)
}

/** Σ √λ over the eigenvalues λ of the queries' inner products: the number of cells that two of them have in common. */
export function singularSum(queries: readonly LinearQuery[], { attributes }: Universe): number {
  const boxes = queries.map(({ terms: [term] }) =>
    attributes.map(
      ({ name, size }) => (term!.factors[name] ?? { kind: 'interval', from: 0, to: size - 1 }) as Interval,
    ),
  )
  const rows = boxes.map((x, i) => Float64Array.from({ length: i + 1 }, (_, j) => common(x, boxes[j]!)))
  return symmetricEigenvalues(rows).reduce((sum, value) => sum + Math.sqrt(Math.max(0, value)), 0)
}

const common = (x: readonly Interval[], y: readonly Interval[]): number =>
  x.reduce((cells, { from, to }, a) => {
    const [first, last] = [Math.max(from, y[a]!.from), Math.min(to, y[a]!.to)]
    return cells * Math.max(0, last - first + 1)
  }, 1)
