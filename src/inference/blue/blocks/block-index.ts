import { keptKey, type Measurement } from '../../../query/index.ts'
import type { Law } from '../../error-law/law.ts'
import type { Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import { numbers, weightOf } from '../noisy-answers.ts'
import { Block, type BlockQuery, columnAt } from './block.ts'
import type { BlockReader } from './block-reader.ts'
import { shapeOf } from './column-key.ts'

/** Queries with axes along the same attributes, and columns of the same others. */
interface Shelf {
  readonly axes: readonly number[]
  readonly others: readonly number[]
  /** Of queries, by what their columns outside of the axes are. */
  readonly byColumns: Map<string, Set<string>>
}

/** Answers by query, and queries by attributes and their columns outside of the axes: what may tell a question is found at once. */
export class BlockIndex {
  readonly #reader: BlockReader
  readonly #blocks = new Map<string, Block>()
  /** The query of each measurement. */
  readonly #queries = new Map<string, string>()
  readonly #shelves: Map<string, Shelf>

  constructor(reader: BlockReader, from?: BlockIndex) {
    this.#reader = reader
    this.#blocks = new Map(from ? from.#blocks : [])
    this.#queries = new Map(from ? from.#queries : [])
    // A query that nobody has any more is not found among the blocks: shelves only grow, and forks may share them.
    this.#shelves = from ? from.#shelves : new Map()
  }

  fork(): BlockIndex {
    return new BlockIndex(this.#reader, this)
  }

  /** Returns a block that is new; undefined where the same was measured before. */
  add({ id, query, values }: Measurement, given: Law): Block | undefined {
    const key = keptKey(query)
    const one = { id, law: given, variance: weightOf(given), values: numbers(values) }
    const block = this.#blocks.get(key)
    this.#queries.set(id, key)
    const next = block ? block.with(one) : this.#opened(key, query, one)
    this.#blocks.set(key, next)
    return block ? undefined : next
  }

  #opened(key: string, query: Measurement['query'], one: Parameters<Block['with']>[0]): Block {
    const read = this.#reader.read(query)
    this.#shelve(key, read)
    return new Block(read, new Map([[one.id, one]]))
  }

  /** Returns the number of its noisy numbers; undefined where there is no such measurement. */
  remove(id: string): number | undefined {
    const key = this.#queries.get(id)
    if (key === undefined) return undefined
    const block = this.#blocks.get(key)!
    const left = block.without(id)
    if (left) this.#blocks.set(key, left)
    else this.#blocks.delete(key)
    this.#queries.delete(id)
    return block.values.length
  }

  get all(): Iterable<Block> {
    return this.#blocks.values()
  }

  /** Blocks that look at the same codes as the question, outside of their axes. */
  near(question: Weights): Block[] {
    const term = question.terms[0]
    if (!term) return []
    const keys = [...this.#shelves.values()].flatMap(({ axes, others, byColumns }) => {
      const fits =
        others.every((place) => term.attributes.includes(place)) &&
        term.attributes.every((place) => axes.includes(place) || others.includes(place))
      return fits ? [...(byColumns.get(columnsOf(question, others)) ?? [])] : []
    })
    return keys.flatMap((key) => this.#blocks.get(key) ?? [])
  }

  /** A query that is 0 everywhere has no place. */
  #shelve(query: string, { shared, axes: along }: BlockQuery): void {
    const term = shared.terms[0]
    if (!term) return
    const axes = along.map(({ place }) => place)
    const others = term.attributes.filter((place) => !axes.includes(place))
    const shelf = kept(this.#shelves, `${axes}|${others}`, () => ({ axes, others, byColumns: new Map() }))
    kept(shelf.byColumns, columnsOf(shared, others), () => new Set<string>()).add(query)
  }
}

const columnsOf = ({ terms }: Weights, places: readonly number[]): string =>
  places.map((place) => shapeOf(columnAt(terms[0]!, place)).text).join(';')
