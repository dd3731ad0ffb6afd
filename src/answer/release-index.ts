import { keptKey, type Measurement, marginalOver } from '../query/index.ts'
import { isAnswer } from '../trusted/accounting/index.ts'
import type { Book, Release } from '../trusted/ledger/index.ts'

type Read = Pick<Book, 'releases' | 'epochs' | 'head'>

/** A purchase of more queries than this is not listed under each: it counts as one of anything. */
const mostQueries = 64

const indexes = new WeakMap<Read, ReleaseIndex>()

/** An epoch's purchases by what they are of: who asks about one query, or one measurement, need not look through all of a long history. */
export class ReleaseIndex {
  readonly #book: Read
  #head: Read['head'] | undefined
  #epoch = 0
  /** So many have been read, and of these some were open still: what they are of may change when they are closed. */
  #known = 0
  #open: number[] = []
  readonly #places = new Map<string, Set<number>>()
  readonly #anything = new Set<number>()
  readonly #measurements = new Map<string, Measurement>()
  #publicRecords = Number.POSITIVE_INFINITY

  private constructor(book: Read) {
    this.#book = book
  }

  /** Of this book as it now stands. */
  static of(book: Read): ReleaseIndex {
    const index = indexes.get(book) ?? new ReleaseIndex(book)
    indexes.set(book, index)
    index.#follow()
    return index
  }

  /** All that may be of one of these queries, by their keys, oldest first; some that are not. */
  about(keys: Iterable<string>): Release[] {
    const places = new Set(this.#anything)
    for (const key of keys) for (const place of this.#places.get(key) ?? []) places.add(place)
    return this.#at([...places].sort((x, y) => x - y))
  }

  /** Paid for, and not yet recorded. */
  get open(): Release[] {
    return this.#at(this.#open)
  }

  /** By its id. */
  measurement(id: string): Measurement | undefined {
    return this.#measurements.get(id)
  }

  /** The number of records where it is public and was read; else anything. */
  get publicRecords(): number {
    return this.#publicRecords
  }

  #at(places: readonly number[]): Release[] {
    const { releases } = this.#book
    return places.map((place) => releases[place]!)
  }

  #follow(): void {
    const { head, epochs, releases } = this.#book
    if (this.#head === head) return
    this.#head = head
    if (this.#epoch !== epochs) {
      this.#epoch = epochs
      this.#known = 0
      this.#open = []
      this.#places.clear()
      this.#anything.clear()
      this.#measurements.clear()
      this.#publicRecords = Number.POSITIVE_INFINITY
    }
    const changed = this.#open
    while (this.#known < releases.length) changed.push(this.#known++)
    for (const place of changed) this.#list(place, releases[place]!)
    this.#open = changed.filter((place) => releases[place]!.state === 'open')
  }

  #list(place: number, { charges, measurements }: Release): void {
    for (const measurement of measurements) {
      const { id, law, query, values } = measurement
      this.#measurements.set(id, measurement)
      if (law.kind === 'none' && marginalOver(query)?.length === 0) this.#publicRecords = Number(values[0]!)
    }
    if (charges.length > mostQueries || !charges.every(isAnswer)) this.#anything.add(place)
    else
      for (const { query } of charges) {
        const key = keptKey(query)
        const places = this.#places.get(key)
        if (places) places.add(place)
        else this.#places.set(key, new Set([place]))
      }
  }
}
