import { attributesOf, isMarginal, type LinearQuery } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'

/** Queries that look at the same attributes (positions in the universe, ascending). */
export interface QuerySet {
  readonly attributes: readonly number[]
  /** Positions in the batch. */
  readonly queries: readonly number[]
}

/** The queries by the set of attributes that they look at. There may be half a million pairs. */
export function querySets(queries: readonly LinearQuery[], u: Universe): QuerySet[] {
  const sets: { readonly attributes: readonly number[]; readonly queries: number[] }[] = []
  const places = new Places(u.attributes.length)
  for (let q = 0; q < queries.length; q++) {
    const attributes = positionsOf(queries[q]!, u)
    const place = places.of(attributes, sets.length)
    if (place < sets.length) sets[place]!.queries.push(q)
    else sets.push({ attributes, queries: [q] })
  }
  return sets
}

function positionsOf(q: LinearQuery, u: Universe): number[] {
  if (q.by.length !== 2 || !isMarginal(q)) return attributesOf(q, u).map((name) => u.index.get(name)!)
  const a = u.index.get(q.by[0]!.attribute)!
  const b = u.index.get(q.by[1]!.attribute)!
  return a < b ? [a, b] : [b, a]
}

/** A number for each set of attributes: found in a table where it has at most two, and by its text otherwise. */
class Places {
  readonly #row: number
  /** Of pairs, single attributes and none: one more than their number, 0 where they have none yet. */
  readonly #table: Int32Array
  readonly #others = new Map<string, number>()

  constructor(attributes: number) {
    this.#row = attributes + 1
    this.#table = new Int32Array(this.#row ** 2 <= largestTable ? this.#row ** 2 : 0)
  }

  /** The number of a set; `next` where it is new. */
  of(attributes: readonly number[], next: number): number {
    const at = attributes.length > 2 ? -1 : ((attributes[0] ?? -1) + 1) * this.#row + (attributes[1] ?? -1) + 1
    if (at >= 0 && at < this.#table.length) {
      this.#table[at] ||= next + 1
      return this.#table[at]! - 1
    }
    const text = attributes.join(',')
    const known = this.#others.get(text) ?? next
    this.#others.set(text, known)
    return known
  }
}

const largestTable = 2 ** 22
