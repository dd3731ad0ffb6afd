import type { Universe } from '../../schema/index.ts'
import type { Weights } from './compile.ts'

/**
 * Products ⟨q, b⟩ of a query with many others b that are single products of intervals: the commonest history, ranges, and
 * the one where 5,000 answers mean 10^7 products. The others lie in flat arrays; anything else is not for this class.
 */
export class IntervalRows {
  /** Per factor: its attribute, first and last code. */
  #factors = new Int32Array(96)
  #used = 0
  /** Per query: the end of its factors, and its coefficient. */
  readonly #ends: number[] = []
  readonly #coefficients: number[] = []
  /** Everything, until a query's factors are put in its place. */
  readonly #from: Int32Array
  readonly #to: Int32Array
  readonly #inverse: Float64Array

  constructor({ attributes }: Universe) {
    this.#from = new Int32Array(attributes.length)
    this.#to = Int32Array.from(attributes, ({ size }) => size - 1)
    this.#inverse = Float64Array.from(attributes, ({ size }) => 1 / size)
  }

  get size(): number {
    return this.#ends.length
  }

  static takes({ terms }: Weights): boolean {
    return terms.length === 1 && terms[0]!.columns.every((column) => column.interval)
  }

  push({ terms }: Weights): void {
    const { attributes, columns, coefficient } = terms[0]!
    columns.forEach(({ from, to }, i) => {
      if (this.#used + 3 > this.#factors.length) {
        const wide = new Int32Array(2 * this.#factors.length)
        wide.set(this.#factors)
        this.#factors = wide
      }
      this.#factors.set([attributes[i]!, from, to], this.#used)
      this.#used += 3
    })
    this.#coefficients.push(coefficient)
    this.#ends.push(this.#used)
  }

  /**
   * Fills the row. Over an attribute of n codes that both look at, the mean of g·h is overlap/n: the query's own mean,
   * length/n, times overlap/length. So one starts from all of the query's means; where the query does not look at an
   * attribute its interval is everything, and overlap/length is the other's mean.
   */
  fill({ terms }: Weights, row: Float64Array): void {
    const { attributes, columns, coefficient } = terms[0]!
    const start = columns.reduce((product, { mean }) => product * mean, coefficient)
    for (const [i, { from, to, sum }] of columns.entries()) this.#set(attributes[i]!, from, to, 1 / sum)
    this.#multiply(start, row)
    for (const [i, { size }] of columns.entries()) this.#set(attributes[i]!, 0, size - 1, 1 / size)
  }

  #set(place: number, from: number, to: number, inverse: number): void {
    this.#from[place] = from
    this.#to[place] = to
    this.#inverse[place] = inverse
  }

  #multiply(start: number, row: Float64Array): void {
    const factors = this.#factors
    const ends = this.#ends
    const coefficients = this.#coefficients
    const from = this.#from
    const to = this.#to
    const inverse = this.#inverse
    for (let b = 0, f = 0; b < ends.length; b++) {
      const end = ends[b]!
      let product = start * coefficients[b]!
      for (; f < end; f += 3) {
        const place = factors[f]!
        const first = Math.max(factors[f + 1]!, from[place]!)
        const last = Math.min(factors[f + 2]!, to[place]!)
        product *= Math.max(0, last - first + 1) * inverse[place]!
      }
      row[b] = product
    }
  }
}
