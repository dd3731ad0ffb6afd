import { type Spans, spansSize } from '../../numeric/index.ts'
import { answerStarts, MarginalList, type QueryList } from '../../query/index.ts'
import { distanceSensitivity, type Terms } from './price.ts'

/**
 * By how much one protected unit moves the distance between the answers to each query and whatever public model, in
 * steps and in the policy's own relation. Each query is looked at once, when it is first asked about.
 */
export class DistanceSensitivities {
  readonly #queries: QueryList
  readonly #terms: Terms
  /** The different ones, of which there are few, and which of them is each query's; -1 where nobody has asked yet. */
  readonly #different: bigint[] = []
  readonly #which: Int32Array
  #found = 0

  constructor(queries: QueryList, terms: Terms) {
    this.#queries = queries
    this.#terms = terms
    this.#which = new Int32Array(queries.length).fill(-1)
    if (queries instanceof MarginalList) this.#findMarginals(queries)
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

  /** A record counts in one cell of every marginal, so all that have several are moved alike, and so are all that have one. */
  #findMarginals(list: MarginalList): void {
    const starts = answerStarts(list, this.#terms.universe)
    const alike: number[] = []
    for (let place = 0; place < list.length; place++) {
      const kind = starts[place + 1]! - starts[place]! > 1 ? 1 : 0
      alike[kind] ??= this.#whichOf(place)
      this.#which[place] = alike[kind]
    }
    this.#found = list.length
  }

  #find(query: number): number {
    const known = this.#which[query]!
    if (known >= 0) return known
    const which = this.#whichOf(query)
    this.#which[query] = which
    this.#found++
    return which
  }

  #whichOf(query: number): number {
    const moved = distanceSensitivity(this.#queries.at(query)!, this.#terms)
    const found = this.#different.indexOf(moved)
    return found >= 0 ? found : this.#different.push(moved) - 1
  }
}
