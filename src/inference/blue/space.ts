import type { Components } from './components.ts'
import type { Corners, Sparse, Vector } from './corners.ts'
import { byCorners, Covariances } from './covariance.ts'

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
    return Math.sqrt(sparse ? sparse.values.reduce((sum, v) => sum + v * v, 0) : this.#products.unknownScale(weights))
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

  /**
   * ⟨query - Σ c·basis, b⟩ for every b of the basis, where the difference is taken first: so its rounding errors are as
   * small as it. undefined where not all corners are listed.
   */
  fillRest(query: Sparse, basis: readonly Vector[], c: Float64Array): Float64Array | undefined {
    return this.#withRest(query, basis, c, (spread, lists) => Float64Array.from(lists, (list) => along(spread, list)))
  }

  /** The length of query - Σ c·basis. */
  rest(query: Sparse, basis: readonly Vector[], c: Float64Array): number | undefined {
    return this.#withRest(query, basis, c, (spread) => Math.sqrt(spread.reduce((sum, value) => sum + value * value, 0)))
  }

  #withRest<T>(
    query: Sparse,
    basis: readonly Vector[],
    c: Float64Array,
    use: (spread: Float64Array, lists: readonly Sparse[]) => T,
  ): T | undefined {
    const lists = basis.flatMap(({ sparse }) => sparse ?? [])
    if (lists.length < basis.length) return undefined
    this.#add(query, 1)
    lists.forEach((list, b) => {
      if (c[b] !== 0) this.#add(list, -c[b]!)
    })
    const result = use(this.#spread, lists)
    for (const list of [query, ...lists]) this.#clear(list)
    return result
  }

  #add({ at, values }: Sparse, times: number): void {
    const most = at.reduce((last, corner) => Math.max(last, corner), this.#corners.count)
    if (most >= this.#spread.length) this.#spread = new Float64Array(2 * most)
    for (let k = 0; k < at.length; k++) this.#spread[at[k]!]! += times * values[k]!
  }

  #clear({ at }: Sparse): void {
    for (let k = 0; k < at.length; k++) this.#spread[at[k]!] = 0
  }
}

function along(spread: Float64Array, { at, values }: Sparse): number {
  let sum = 0
  for (let k = 0; k < at.length; k++) sum += values[k]! * spread[at[k]!]!
  return sum
}
