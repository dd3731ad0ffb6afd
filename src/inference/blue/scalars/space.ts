import { subtractProducts } from '../../../numeric/index.ts'
import type { Components } from '../marginals/components.ts'
import { byCorners, Covariances } from '../marginals/covariance.ts'
import { tablesOf, transposed } from './corner-tables.ts'
import type { Corners, Listed, Sparse, Vector } from './corners.ts'

/** Multiplying matrices is so many times faster than looking up corners one by one. */
const slowness = 16

/** For fewer queries tables are not worth writing out. */
const few = 4

/** The inner product of queries where marginals know nothing: the sum over corners, exact while below 2^53. */
export class Space {
  readonly #corners: Corners
  readonly #products: Covariances
  /** A query written out, all 0 between two calls. */
  #spread = new Float64Array(64)

  constructor(components: Components, corners: Corners) {
    this.#corners = corners
    this.#products = new Covariances(components, byCorners)
  }

  /** The size of a query, of which rounding errors are a share; 0 only where nothing is unknown. */
  norm({ weights, sparse }: Vector): number {
    return sparse ? lengthOf(sparse.values) : Math.sqrt(this.#products.unknownScale(weights))
  }

  /** ⟨query, other⟩ for every other of a list. */
  fill(query: Vector, others: readonly Vector[], row: Float64Array): void {
    if (query.sparse) this.#add(query.sparse, 1)
    const spread = this.#spread
    for (let b = 0; b < others.length; b++) {
      const { weights, sparse } = others[b]!
      row[b] = query.sparse && sparse ? along(spread, sparse) : this.#products.unknown(query.weights, weights)
    }
    if (query.sparse) this.#clear(query.sparse)
  }

  /** The same for many queries, into the first entries of their rows. */
  fillRows(queries: readonly Vector[], others: readonly Vector[], rows: readonly Float64Array[]): void {
    const listed = queries.length >= few && [...queries, ...others].every(isListed)
    const entries = others.reduce((sum, { sparse }) => sum + (sparse?.at.length ?? 0), 0)
    if (!listed || slowness * entries < others.length * this.#corners.count)
      for (const [i, query] of queries.entries()) this.fill(query, others, rows[i]!)
    else {
      for (const row of rows) row.fill(0, 0, others.length)
      for (const [x, y] of tablesOf([queries.filter(isListed), others.filter(isListed)], this.#corners.count))
        subtractProducts(rows, x!, y!)
      for (const row of rows) for (let b = 0; b < others.length; b++) row[b] = -row[b]!
    }
  }

  /**
   * What solutions leave of queries, query - Σ c·basis: its inner products with the basis, and its length. The difference
   * is taken first, so its rounding errors are as small as it.
   */
  rests(queries: readonly Listed[], basis: readonly Listed[], solutions: readonly Float64Array[]): Rest[] {
    if (queries.length < few) return queries.map((query, i) => this.#restOf(query, basis, solutions[i]!))
    const products = queries.map(() => new Float64Array(basis.length))
    const squares = queries.map(() => 0)
    const end = queries.reduce((most, { sparse }) => lastOf(sparse, most), this.#corners.count) + 1
    for (const [left, table] of tablesOf([queries, basis], end)) {
      subtractProducts(left!, solutions, transposed(table!))
      subtractProducts(products, left!, table!)
      for (const [i, row] of left!.entries()) squares[i]! += lengthOf(row) ** 2
    }
    return products.map((row, i) => ({ products: row.map((value) => -value), length: Math.sqrt(squares[i]!) }))
  }

  #restOf({ sparse }: Listed, basis: readonly Listed[], solution: Float64Array): Rest {
    return this.sum([{ sparse, times: 1 }, ...basis.map((of, b) => ({ ...of, times: -solution[b]! }))], basis)
  }

  /** A combination of queries: its inner products with the basis, and its length. */
  sum(parts: readonly { readonly sparse: Sparse; readonly times: number }[], basis: readonly Listed[]): Rest {
    for (const { sparse, times } of parts) if (times !== 0) this.#add(sparse, times)
    const products = Float64Array.from(basis, ({ sparse }) => along(this.#spread, sparse))
    const length = lengthOf(this.#spread)
    for (const { sparse } of parts) this.#clear(sparse)
    return { products, length }
  }

  #add({ at, values }: Sparse, times: number): void {
    const last = lastOf({ at, values }, this.#corners.count)
    if (last >= this.#spread.length) this.#spread = grown(this.#spread, 2 * last)
    for (let k = 0; k < at.length; k++) this.#spread[at[k]!]! += times * values[k]!
  }

  #clear({ at }: Sparse): void {
    for (let k = 0; k < at.length; k++) this.#spread[at[k]!] = 0
  }
}

interface Rest {
  readonly products: Float64Array
  readonly length: number
}

export const isListed = <V extends Vector>(vector: V): vector is V & Listed => vector.sparse !== undefined

/** The last corner, or `least` if that is larger. */
const lastOf = ({ at }: Sparse, least: number): number => at.reduce((last, corner) => Math.max(last, corner), least)

const lengthOf = (values: Float64Array) => {
  let sum = 0
  for (let k = 0; k < values.length; k++) sum += values[k]! * values[k]!
  return Math.sqrt(sum)
}

function along(spread: Float64Array, { at, values }: Sparse): number {
  let sum = 0
  for (let k = 0; k < at.length; k++) sum += values[k]! * spread[at[k]!]!
  return sum
}

function grown(spread: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(length)
  wide.set(spread)
  return wide
}
