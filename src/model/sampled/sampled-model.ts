import { answerSize, attributesOf, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { answersFrom, queryTable } from '../dense/query-table.ts'
import { quickRandom, shuffle } from '../rows/quick-random.ts'
import type { ModelJson, Rows, Sampling, TableModel } from '../table-model.ts'
import { recordWeights } from './record-weights.ts'

/** Cells of the tables that are kept for later questions: thirty megabytes. */
const mostKept = 2 ** 22

/**
 * A distribution that is known by a sample of records, each with a share: every estimate is a mean over them. What a sampler leaves behind
 * where no table holds the distribution itself.
 */
export class SampledModel implements TableModel {
  readonly universe: Universe
  readonly records: number
  readonly #sample: Rows
  /** How many records of the table each record of the sample stands for. */
  readonly #each: Float64Array
  /** How many records are in each cell, by the attributes that somebody asked about. */
  readonly #tables = new Map<string, Float64Array>()
  #kept = 0

  /** `sample`: at least one record. `shares`: none negative, and not all 0; all alike unless given. */
  constructor(universe: Universe, records: number, sample: Rows, shares?: ArrayLike<number>) {
    this.universe = universe
    this.records = records
    this.#sample = sample
    this.#each = Float64Array.from({ length: sample[0]!.length }, (_, r) => shares?.[r] ?? 1)
    const total = this.#each.reduce((a, b) => a + b, 0)
    for (let r = 0; r < this.#count; r++) this.#each[r]! *= records / total
  }

  marginal(attributes: readonly number[]): Float64Array {
    return this.#table(attributes).slice()
  }

  /** From a table of what it looks at, which the next question about the same finds made; record by record where that would be larger than the sample. */
  answers(query: LinearQuery): Float64Array {
    const { attributes, index } = this.universe
    const cells = attributesOf(query, this.universe).reduce((n, name) => n * attributes[index.get(name)!]!.size, 1)
    return cells <= this.#count ? this.#byTable(query) : this.#byRecord(query)
  }

  #byTable(query: LinearQuery): Float64Array {
    const table = queryTable(query, this.universe)
    return answersFrom(table, this.#table(table.axes))
  }

  #byRecord(query: LinearQuery): Float64Array {
    const sums = new Float64Array(answerSize(query, this.universe))
    const { places, weights } = recordWeights(query, this.universe, this.#sample)
    for (let r = 0; r < this.#count; r++) if (places[r]! >= 0) sums[places[r]!]! += weights[r]! * this.#each[r]!
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
      counts[cell]! += this.#each[r]!
    }
    if (this.#kept + counts.length <= mostKept) {
      this.#tables.set(key, counts)
      this.#kept += counts.length
    }
    return counts
  }

  /** Each record of the sample as often as its share says, rounded up or down by chance; or each drawn by itself. */
  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    const words = quickRandom(random)
    const order = Int32Array.from({ length: this.#count }, (_, r) => r)
    shuffle(order, 0, order.length, words)
    // Equally spaced points on the records laid end to end, or points anywhere.
    const first = random()
    const point = sampling === 'independent' ? random : (row: number) => (row + first) / count
    const points = Float64Array.from({ length: count }, (_, row) => point(row) * this.records).sort()
    const picked = new Int32Array(count)
    for (let row = 0, at = 0, end = this.#each[order[0]!]!; row < count; row++) {
      while (end <= points[row]! && at < order.length - 1) end += this.#each[order[++at]!]!
      picked[row] = order[at]!
    }
    shuffle(picked, 0, count, words)
    return this.#sample.map((column) => picked.map((r) => column[r]!))
  }

  toJson(): ModelJson {
    return {
      kind: 'sampled',
      records: this.records,
      sample: this.#sample.map((column) => [...column]),
      // Records that each of them stands for. Five digits: samples do not know more.
      weights: Array.from(this.#each, (each) => Number(each.toPrecision(5))),
    }
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

/** How much each record of a sample stands for; undefined where that does not fit. Samples written by earlier versions have no weights. */
export function readWeights(weights: unknown, count: number): readonly number[] | undefined {
  if (weights === undefined) return new Array<number>(count).fill(1)
  const isFine =
    Array.isArray(weights) &&
    weights.length === count &&
    weights.every((weight) => Number.isFinite(weight) && weight >= 0) &&
    weights.some((weight) => weight > 0)
  return isFine ? weights : undefined
}
