import { type Spans, spansSize } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { distanceSensitivity, type Terms } from './price.ts'

/**
 * By how much one protected unit moves the distance between the answers to each query and whatever public model, in
 * steps and in the policy's own relation. Each query is looked at once, when it is first asked about.
 */
export class DistanceSensitivities {
  readonly #queries: readonly LinearQuery[]
  readonly #terms: Terms
  /** The different ones, of which there are few, and which of them is each query's; -1 where nobody has asked yet. */
  readonly #different: bigint[] = []
  readonly #which: Int32Array
  #found = 0

  constructor(queries: readonly LinearQuery[], terms: Terms) {
    this.#queries = queries
    this.#terms = terms
    this.#which = new Int32Array(queries.length).fill(-1)
  }

  of(query: number): bigint {
    return this.#different[this.#find(query)]!
  }

  /** The most that any of these moves, each times its weight: what a selection among them is calibrated to. */
  most(candidates: Spans, weights?: ArrayLike<number>): bigint {
    if (weights && weights.length !== spansSize(candidates)) throw new RangeError('each candidate has a weight')
    if (!weights && this.#areAllTheSame()) return this.#different[0]!
    const heaviest: number[] = []
    let i = 0
    for (const [first, last] of candidates)
      for (let query = first; query <= last; query++) {
        const which = this.#find(query)
        const weight = weights ? weights[i++]! : 1
        if (!(heaviest[which]! >= weight)) heaviest[which] = weight
      }
    let most = 0n
    heaviest.forEach((weight, which) => {
      const moved = BigInt(weight) * this.#different[which]!
      if (moved > most) most = moved
    })
    return most
  }

  /** Whether every query is known to move by the same: then so do any of them. */
  #areAllTheSame(): boolean {
    return this.#found === this.#which.length && this.#different.length === 1
  }

  #find(query: number): number {
    const known = this.#which[query]!
    if (known >= 0) return known
    const moved = distanceSensitivity(this.#queries[query]!, this.#terms)
    const found = this.#different.indexOf(moved)
    const which = found >= 0 ? found : this.#different.push(moved) - 1
    this.#which[query] = which
    this.#found++
    return which
  }
}
