import { type ErrorLaw, errorLawByCharacteristic } from '../../inference/index.ts'
import {
  attributesOf,
  axisSizes,
  type Factor,
  factorTable,
  type Indicator,
  type LinearQuery,
  maxTerms,
} from '../../query/index.ts'
import { attributeNamed, type Universe } from '../../schema/index.ts'
import type { Session } from '../session.ts'
import { remembering } from './known.ts'
import { type KnownPart, noiseOf } from './known-part.ts'

/** How far sums of several groups of a part may be off. */
export interface SumWidths {
  /** The sum of these groups' values lies within ± this of the exact sum, with the confidence. */
  halfWidth(part: number, groups: readonly number[], confidence: number): number
}

/** By what is known of each group alone: their intervals hold all at once. */
export const summedWidths = (parts: readonly KnownPart[]): SumWidths => ({
  halfWidth: (part, groups, confidence) => {
    const each = 1 - (1 - confidence) / Math.max(1, groups.length)
    return groups.reduce((sum, group) => sum + parts[part]!.errorLaw(group).halfWidth(each), 0)
  },
})

/**
 * By the law of the sum: a measurement's noises are independent of each other; and the sum of the history's best estimates is its best
 * estimate of the sum, whose law it tells. Where groups come from either, by their intervals.
 */
export class SumLaws implements SumWidths {
  readonly #queries: readonly LinearQuery[]
  readonly #parts: readonly KnownPart[]
  readonly #session: Pick<Session, 'book' | 'knowledge'>
  readonly #known = new Map<string, ErrorLaw | undefined>()

  constructor(
    queries: readonly LinearQuery[],
    parts: readonly KnownPart[],
    session: Pick<Session, 'book' | 'knowledge'>,
  ) {
    this.#queries = queries
    this.#parts = parts
    this.#session = session
  }

  halfWidth(part: number, groups: readonly number[], confidence: number): number {
    if (groups.length === 0) return 0
    if (groups.length === 1) return this.#parts[part]!.errorLaw(groups[0]!).halfWidth(confidence)
    const law = this.#lawOf(part, groups)
    return law ? law.halfWidth(confidence) : summedWidths(this.#parts).halfWidth(part, groups, confidence)
  }

  #lawOf(part: number, groups: readonly number[]): ErrorLaw | undefined {
    const { origin } = this.#parts[part]!
    if (!origin) return undefined
    const key = `${part} ${origin === 'history' ? groups.join() : groups.length}`
    if (!this.#known.has(key)) {
      const law =
        origin === 'history'
          ? this.#historyOf(part, groups)
          : errorLawByCharacteristic(noiseOf(origin).map((noise) => ({ ...noise, count: groups.length })))
      this.#known.set(key, law && remembering(law))
    }
    return this.#known.get(key)
  }

  #historyOf(part: number, groups: readonly number[]): ErrorLaw | undefined {
    const { book, knowledge } = this.#session
    const query = unionQuery(this.#queries[part]!, groups, book.universe)
    return query && knowledge.about(query)?.[0]?.errorLaw()
  }
}

/** The sum of some groups as a query without groups; undefined if it would have too many terms. */
function unionQuery(query: LinearQuery, groups: readonly number[], universe: Universe): LinearQuery | undefined {
  const sizes = axisSizes(query, universe)
  const cells = groups.map((group) => placesOf(group, sizes))
  const used = sizes.map((_, axis) => [...new Set(cells.map((cell) => cell[axis]!))])
  const isProduct = used.reduce((n, { length }) => n * length, 1) === groups.length
  const boxes = isProduct ? [used] : cells.map((cell) => cell.map((place) => [place]))
  if (boxes.length * query.terms.length > maxTerms) return undefined
  const terms = boxes.flatMap((box) =>
    query.terms.map(({ coefficient, factors }) => {
      const own: { [name: string]: Factor } = { ...factors }
      query.by.forEach(({ attribute, groups: sets }, axis) => {
        const { size } = attributeNamed(universe, attribute)
        own[attribute] = restricted(own[attribute], box[axis]!, sets, size)
      })
      return { coefficient, factors: own }
    }),
  )
  return attributesOf(query, universe).length > 0 ? { by: [], terms, step: query.step } : undefined
}

function placesOf(group: number, sizes: readonly number[]): number[] {
  const places = new Array<number>(sizes.length)
  for (let axis = sizes.length - 1, rest = group; axis >= 0; axis--) {
    places[axis] = rest % sizes[axis]!
    rest = Math.floor(rest / sizes[axis]!)
  }
  return places
}

/** A factor where the code is in one of these groups, else 0. */
function restricted(
  f: Factor | undefined,
  places: readonly number[],
  sets: readonly Indicator[] | undefined,
  size: number,
): Factor {
  const kept = new Float64Array(size)
  for (const place of places)
    if (!sets) kept[place] = 1
    else for (const [code, one] of factorTable(sets[place]!, size).entries()) kept[code]! += one
  if (f && f.kind !== 'interval' && f.kind !== 'set')
    return { kind: 'table', values: Array.from(factorTable(f, size), (value, code) => value * kept[code]!) }
  const within = f ? factorTable(f, size) : undefined
  const codes = [...kept.keys()].filter((code) => kept[code] === 1 && (!within || within[code] === 1))
  const [from, to] = [codes[0], codes.at(-1)]
  return from !== undefined && to! - from === codes.length - 1
    ? { kind: 'interval', from, to: to! }
    : { kind: 'set', codes }
}
