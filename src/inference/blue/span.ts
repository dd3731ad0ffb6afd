import { subtractProducts, Triangle } from '../../numeric/index.ts'
import type { Certainty } from './certainty.ts'
import type { Weights } from './compile.ts'
import type { Covariances } from './covariance.ts'

/** A query this far from the others (squared, in its own norm) is independent of them: no rounding error is as large. */
const clear = 1e-3
/** Nearer than this a query is not taken into the basis: solutions would lose too many of their digits. */
const near = 1e-8
/** Rounding errors of a distance, per square of the solution's size. */
const rounding = 1e-12

/**
 * How a query lies to the basis, in its part that marginals do not know: a new direction, a combination of the basis
 * (proven, with its solution in steps), or too near to tell.
 */
export type Position =
  | { readonly kind: 'independent' }
  | { readonly kind: 'dependent'; readonly solution: Float64Array }
  | { readonly kind: 'doubtful' }

/** A basis of the queries asked so far and the Cholesky factor of their inner products; both only grow. */
export class Span {
  readonly basis: Weights[] = []
  readonly #norms: number[] = []
  readonly #triangle = new Triangle()
  readonly #covariances: Covariances
  readonly #certainty: Certainty

  constructor(covariances: Covariances, certainty: Certainty) {
    this.#covariances = covariances
    this.#certainty = certainty
  }

  /** Is the query a proven combination of the basis? O(r²) for a basis of r. */
  place(query: Weights): Position {
    const norm = Math.sqrt(this.#covariances.unknownScale(query))
    if (norm === 0) return none
    const row = this.#row(query, norm, this.basis.length)
    this.#triangle.solve(row)
    const distance = row.reduce((left, x) => left - x * x, this.#covariances.unknown(query, query) / norm / norm)
    return this.#judge(query, norm, row, distance)
  }

  /** Places queries and takes the independent ones into the basis, the clearest first. */
  add(queries: readonly Weights[]): Position[] {
    const norms = queries.map((query) => Math.sqrt(this.#covariances.unknownScale(query)))
    const positions = queries.map((_, i): Position | undefined => (norms[i] === 0 ? none : undefined))
    let open = [...queries.keys()].filter((i) => norms[i] !== 0)
    const width = this.basis.length + open.length
    const rows = queries.map((query, i) => this.#row(query, norms[i]!, norms[i] === 0 ? 0 : width))
    const left = this.#distances(queries, norms, rows, open)
    while (open.length > 0) {
      const best = open.reduce((x, y) => (left[y]![y]! > left[x]![x]! ? y : x))
      open = open.filter((i) => i !== best)
      const position = this.#judge(queries[best]!, norms[best]!, rows[best]!, left[best]![best]!)
      positions[best] = position
      if (position.kind === 'independent') this.#take(queries[best]!, norms[best]!, best, rows, left, open)
    }
    return positions as Position[]
  }

  /** Inner products with the basis, both normed; 0 behind them. */
  #row(query: Weights, norm: number, width: number): Float64Array {
    const row = new Float64Array(width)
    const { basis } = this
    if (width > 0)
      for (let b = 0; b < basis.length; b++)
        row[b] = this.#covariances.unknown(query, basis[b]!) / norm / this.#norms[b]!
    return row
  }

  /** Solves the rows; inner products of the queries with each other less what the basis explains of them. */
  #distances(
    queries: readonly Weights[],
    norms: readonly number[],
    rows: readonly Float64Array[],
    open: readonly number[],
  ): Float64Array[] {
    const left = queries.map(() => new Float64Array(queries.length))
    for (const i of open)
      for (const j of open)
        if (j <= i)
          left[i]![j] = left[j]![i] = this.#covariances.unknown(queries[i]!, queries[j]!) / norms[i]! / norms[j]!
    this.#triangle.solveRows(open.map((i) => rows[i]!))
    const solved = rows.map((row) => row.subarray(0, this.basis.length))
    subtractProducts(left, solved, solved)
    return left
  }

  #take(
    query: Weights,
    norm: number,
    best: number,
    rows: readonly Float64Array[],
    left: readonly Float64Array[],
    open: readonly number[],
  ): void {
    const place = this.basis.length
    const pivot = Math.sqrt(left[best]![best]!)
    for (const i of open) rows[i]![place] = left[i]![best]! / pivot
    for (const i of open) {
      const x = rows[i]![place]!
      for (const j of open) left[i]![j]! -= x * rows[j]![place]!
    }
    this.#triangle.push(rows[best]!, pivot)
    this.basis.push(query)
    this.#norms.push(norm)
  }

  #judge(query: Weights, norm: number, row: Float64Array, distance: number): Position {
    if (distance > clear) return { kind: 'independent' }
    const solution = row.slice(0, this.basis.length)
    this.#triangle.solveTransposed(solution)
    const size = solution.reduce((sum, x) => sum + Math.abs(x), 1)
    if (distance > near && distance > rounding * size * size) return { kind: 'independent' }
    for (let b = 0; b < solution.length; b++) solution[b]! *= norm / this.#norms[b]!
    const proven = this.#certainty.prove(query, this.basis, solution)
    return proven ? { kind: 'dependent', solution: proven } : { kind: 'doubtful' }
  }
}

/** Nothing of the query lies outside of what marginals know. */
const none: Position = { kind: 'dependent', solution: new Float64Array(0) }
