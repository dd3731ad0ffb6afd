import { answerSize, attributesOf, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { answersFrom, queryTable } from '../dense/query-table.ts'
import { below, quickRandom, shuffle } from '../rows/quick-random.ts'
import type { ModelJson, Rows, Sampling, TableModel } from '../table-model.ts'
import { recordWeights } from './record-weights.ts'

/** Cells of the tables that are kept for later questions: thirty megabytes. */
const mostKept = 2 ** 22

/**
 * A distribution that is known by a sample of records: every estimate is a mean over them. What a sampler leaves behind where no
 * table holds the distribution itself.
 */
export class SampledModel implements TableModel {
  readonly universe: Universe
  readonly records: number
  readonly #sample: Rows
  /** How many records of the sample are in each cell, by the attributes that somebody asked about. */
  readonly #tables = new Map<string, Float64Array>()
  #kept = 0

  /** `sample`: at least one record. */
  constructor(universe: Universe, records: number, sample: Rows) {
    this.universe = universe
    this.records = records
    this.#sample = sample
  }

  marginal(attributes: readonly number[]): Float64Array {
    const each = this.records / this.#count
    return this.#table(attributes).map((count) => count * each)
  }

  /** From a table of what it looks at, which the next question about the same finds made; record by record where that would be larger than the sample. */
  answers(query: LinearQuery): Float64Array {
    const { attributes, index } = this.universe
    const cells = attributesOf(query, this.universe).reduce((n, name) => n * attributes[index.get(name)!]!.size, 1)
    const each = this.records / this.#count
    const sums = cells <= this.#count ? this.#byTable(query) : this.#byRecord(query)
    return sums.map((sum) => sum * each)
  }

  #byTable(query: LinearQuery): Float64Array {
    const table = queryTable(query, this.universe)
    return answersFrom(table, this.#table(table.axes))
  }

  #byRecord(query: LinearQuery): Float64Array {
    const sums = new Float64Array(answerSize(query, this.universe))
    const { places, weights } = recordWeights(query, this.universe, this.#sample)
    for (let r = 0; r < this.#count; r++) if (places[r]! >= 0) sums[places[r]!]! += weights[r]!
    return sums
  }

  #table(attributes: readonly number[]): Float64Array {
    const key = attributes.join()
    const known = this.#tables.get(key)
    if (known) return known
    const sizes = attributes.map((a) => this.universe.attributes[a]!.size)
    const counts = new Float64Array(sizes.reduce((cells, size) => cells * size, 1))
    for (let r = 0; r < this.#count; r++) {
      let cell = 0
      for (let i = 0; i < sizes.length; i++) cell = cell * sizes[i]! + this.#sample[attributes[i]!]![r]!
      counts[cell]!++
    }
    if (this.#kept + counts.length <= mostKept) {
      this.#tables.set(key, counts)
      this.#kept += counts.length
    }
    return counts
  }

  /** Each record of the sample equally often, up to one: drawn without putting back, and again from the start when all are used up. */
  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    const words = quickRandom(random)
    const order = Int32Array.from({ length: this.#count }, (_, r) => r)
    shuffle(order, 0, order.length, words)
    const pick =
      sampling === 'independent' ? () => below(this.#count, words) : (row: number) => order[row % this.#count]!
    const picked = Int32Array.from({ length: count }, (_, row) => pick(row))
    return this.#sample.map((column) => picked.map((r) => column[r]!))
  }

  toJson(): ModelJson {
    return { kind: 'sampled', records: this.records, sample: this.#sample.map((column) => [...column]) }
  }

  get #count(): number {
    return this.#sample[0]!.length
  }
}

/** The sample of a model that was written down; undefined where it does not fit the universe. */
export function readSample(sample: unknown, { attributes }: Universe): Int32Array[] | undefined {
  if (!Array.isArray(sample) || sample.length !== attributes.length) return undefined
  const count = Array.isArray(sample[0]) ? sample[0].length : 0
  const isColumn = (column: unknown, size: number) =>
    Array.isArray(column) &&
    column.length === count &&
    column.every((code) => Number.isInteger(code) && code >= 0 && code < size)
  if (count === 0 || !attributes.every(({ size }, a) => isColumn(sample[a], size))) return undefined
  return sample.map((column: number[]) => Int32Array.from(column))
}
