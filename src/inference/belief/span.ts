import type { LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { compile, Shapes, type Weights } from '../blue/compile.ts'
import { Components } from '../blue/marginals/components.ts'
import { byCells, Covariances } from '../blue/marginals/covariance.ts'
import { Certainty } from '../blue/proof/certainty.ts'

/** Queries as sums of a few of them that do not depend on each other. */
export interface Span {
  /** Places of those few. */
  readonly basis: readonly number[]
  /** Per query its weights of them. */
  readonly weights: readonly Float64Array[]
  /** The question's. */
  readonly question: Float64Array
}

/** A query with less than this share of its square outside of the others' span is one of them, if it is proven so. */
const dependent = 1e-9
/** Codes of factors, over all queries, times the number of queries: with more of them nothing is looked at. */
const mostWork = 2 ** 24

/**
 * The queries in terms of the first of them that are independent; undefined where the question is not a sum of these, or
 * where that is not proven.
 */
export function spanOf(
  queries: readonly LinearQuery[],
  question: LinearQuery,
  universe: Universe,
  random: () => number,
): Span | undefined {
  const shapes = new Shapes()
  const asked = [...queries, question].map((query) => ({
    weights: compile(query, universe, shapes),
    sparse: undefined,
  }))
  if (asked.length * asked.reduce((sum, { weights }) => sum + codesIn(weights), 0) > mostWork) return undefined
  const products = new Covariances(new Components(universe), byCells)
  const gram = asked.map((one) => asked.map((other) => products.unknown(one.weights, other.weights)))
  const basis: number[] = []
  const guesses = asked.map((query, i) => {
    const solution = solve(gram, basis, i)
    const rest = gram[i]![i]! - basis.reduce((sum, b, k) => sum + solution[k]! * gram[b]![i]!, 0)
    const isNew = i < queries.length && rest > dependent * gram[i]![i]!
    if (isNew) basis.push(i)
    return { query, solution: isNew ? Float64Array.from(basis, (b) => (b === i ? 1 : 0)) : solution }
  })
  const full = guesses.map(({ query, solution }) => ({
    query,
    solution: Float64Array.from(basis, (_, k) => solution[k] ?? 0),
  }))
  const independent = basis.map((b) => asked[b]!)
  const proofs = Certainty.over(universe, undefined, random).prove(full, independent)
  if (!proofs.every((proof) => proof !== undefined)) return undefined
  const weights = proofs.map(({ solution }, i) => inOwnUnits(solution, asked[i]!.weights, independent))
  return { basis, weights: weights.slice(0, -1), question: weights.at(-1)! }
}

const codesIn = ({ terms }: Weights): number =>
  terms.reduce((sum, { columns }) => columns.reduce((all, { size }) => all + size, sum), 0)

/** From steps of the queries to the data's own units. */
const inOwnUnits = (
  solution: Float64Array,
  { step }: Weights,
  basis: readonly { readonly weights: Weights }[],
): Float64Array => solution.map((share, k) => (share * step) / basis[k]!.weights.step)

/** The weights of the basis in its nearest sum to query i: Gaussian elimination, of at most 50 rows. */
function solve(gram: readonly (readonly number[])[], basis: readonly number[], i: number): Float64Array {
  const rows = basis.map((b) => [...basis.map((c) => gram[b]![c]!), gram[b]![i]!])
  rows.forEach((row, k) => {
    for (const other of rows.slice(k + 1)) {
      const times = other[k]! / row[k]!
      for (let j = k; j < row.length; j++) other[j]! -= times * row[j]!
    }
  })
  const weights = new Float64Array(basis.length)
  for (let k = basis.length - 1; k >= 0; k--) {
    const row = rows[k]!
    let rest = row[basis.length]!
    for (let j = k + 1; j < basis.length; j++) rest -= row[j]! * weights[j]!
    weights[k] = rest / row[k]!
  }
  return weights
}
