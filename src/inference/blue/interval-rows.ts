import type { Universe } from '../../schema/index.ts'
import type { Weights } from './compile.ts'
import { kept } from './kept.ts'

/** Queries with more factors are left to others: all would have to make room for them. */
const widest = 8

/** A factor of the others: an interval of one attribute's codes. */
interface Interval {
  readonly place: number
  readonly from: number
  readonly to: number
}

/**
 * Products ⟨q, b⟩ of a query with many others b that are single products of intervals: the commonest history, ranges, and
 * the one where 5,000 answers mean 10^7 products. Different queries have factors in common, so each different factor
 * meets the query once, and a product is a few numbers looked up. Anything else is not for this class.
 */
export class IntervalRows {
  readonly #universe: Universe
  /** Every different factor; the first is everything, so that all queries can have `width` of them. */
  #intervals: Interval[] = [{ place: -1, from: 0, to: 0 }]
  #numbers = new Map<string, number>()
  /** The numbers of each query's factors, one query after the other. */
  #factors = new Int32Array(64)
  #width = 1
  #coefficients: number[] = []

  constructor(universe: Universe) {
    this.#universe = universe
  }

  fork(): IntervalRows {
    const other = new IntervalRows(this.#universe)
    other.#intervals = this.#intervals.slice()
    other.#numbers = new Map(this.#numbers)
    other.#factors = this.#factors.slice()
    other.#width = this.#width
    other.#coefficients = this.#coefficients.slice()
    return other
  }

  get size(): number {
    return this.#coefficients.length
  }

  static takes({ terms }: Weights): boolean {
    return terms.length === 1 && terms[0]!.columns.length <= widest && terms[0]!.columns.every((c) => c.interval)
  }

  push({ terms }: Weights): void {
    const { attributes, columns, coefficient } = terms[0]!
    this.#makeRoom(Math.max(this.#width, columns.length))
    columns.forEach(({ from, to }, i) => {
      const interval = { place: attributes[i]!, from, to }
      const number = kept(this.#numbers, `${attributes[i]} ${from} ${to}`, () => this.#intervals.push(interval) - 1)
      this.#factors[this.size * this.#width + i] = number
    })
    this.#coefficients.push(coefficient)
  }

  /** For one more query, and so many factors in each. */
  #makeRoom(width: number): void {
    if (width === this.#width && (this.size + 1) * width <= this.#factors.length) return
    const wide = new Int32Array(2 * (this.size + 1) * width)
    for (let b = 0; b < this.size; b++)
      wide.set(this.#factors.subarray(b * this.#width, (b + 1) * this.#width), b * width)
    this.#factors = wide
    this.#width = width
  }

  /**
   * Fills the row. Over an attribute of n codes that both look at, the mean of g·h is overlap/n: the query's own mean,
   * length/n, times overlap/length. So one starts from all of the query's means; where the query does not look at an
   * attribute its interval is everything, and overlap/length is the other's mean.
   */
  fill(query: Weights, row: Float64Array): void {
    const { columns, coefficient } = query.terms[0]!
    const start = columns.reduce((product, { mean }) => product * mean, coefficient)
    const shares = this.#shares(query)
    const factors = this.#factors
    const width = this.#width
    const coefficients = this.#coefficients
    for (let b = 0, f = 0; b < coefficients.length; b++) {
      let product = start * coefficients[b]!
      // Always as many: a processor guesses ends of loops well if they do not change.
      for (let i = 0; i < width; i++) product *= shares[factors[f++]!]!
      row[b] = product
    }
  }

  /** overlap/length of the query with every different factor. */
  #shares({ terms }: Weights): Float64Array {
    const { attributes, columns } = terms[0]!
    const from = new Float64Array(this.#universe.attributes.length)
    const to = Float64Array.from(this.#universe.attributes, ({ size }) => size - 1)
    columns.forEach((column, i) => {
      from[attributes[i]!] = column.from
      to[attributes[i]!] = column.to
    })
    const intervals = this.#intervals
    const shares = new Float64Array(intervals.length)
    shares[0] = 1
    for (let k = 1; k < intervals.length; k++) {
      const interval = intervals[k]!
      const first = from[interval.place]!
      const last = to[interval.place]!
      const start = interval.from > first ? interval.from : first
      const end = interval.to < last ? interval.to : last
      shares[k] = start > end ? 0 : (end - start + 1) / (last - first + 1)
    }
    return shares
  }
}
