import type { LinearQuery } from '../../query/index.ts'
import { distanceSensitivity, type Terms } from './price.ts'

/**
 * By how much one protected unit moves the distance between the answers to each query and whatever public model, in
 * steps and in the policy's own relation. Each query is looked at once, when it is first asked about.
 */
export class DistanceSensitivities {
  readonly #queries: readonly LinearQuery[]
  readonly #terms: Terms
  readonly #known: (bigint | undefined)[] = []

  constructor(queries: readonly LinearQuery[], terms: Terms) {
    this.#queries = queries
    this.#terms = terms
  }

  of(query: number): bigint {
    const known = this.#known[query] ?? distanceSensitivity(this.#queries[query]!, this.#terms)
    this.#known[query] = known
    return known
  }

  /** The most that any of these moves, each times its weight: what a selection among them is calibrated to. */
  most(candidates: ArrayLike<number>, weights?: ArrayLike<number>): bigint {
    let most = 0n
    for (let i = 0; i < candidates.length; i++) {
      const moved = this.of(candidates[i]!)
      const weighted = weights ? BigInt(weights[i]!) * moved : moved
      if (weighted > most) most = weighted
    }
    return most
  }
}
