import type { Weights } from './compile.ts'

/**
 * Products ⟨q, b⟩ of a query with many others b that are single products of intervals: the commonest history, ranges, and
 * the one where 5,000 answers mean 10^7 products. The others lie in flat arrays; anything else is not for this class.
 */
export class IntervalRows {
  /** Per query: its place in the lists of factors, and its coefficient. */
  readonly #ends: number[] = []
  readonly #coefficients: number[] = []
  readonly #attributes: number[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #means: number[] = []
  /** The query in hand, by attribute; length 0 where it has no factor. */
  readonly #queryFrom: Float64Array
  readonly #queryTo: Float64Array
  readonly #queryLength: Float64Array

  constructor(attributes: number) {
    this.#queryFrom = new Float64Array(attributes)
    this.#queryTo = new Float64Array(attributes)
    this.#queryLength = new Float64Array(attributes)
  }

  get size(): number {
    return this.#ends.length
  }

  static takes({ terms }: Weights): boolean {
    return terms.length === 1 && terms[0]!.columns.every((column) => column.interval)
  }

  push({ terms }: Weights): void {
    const [term] = terms
    term!.columns.forEach((column, i) => {
      this.#attributes.push(term!.attributes[i]!)
      this.#from.push(column.from)
      this.#to.push(column.to)
      this.#means.push(column.mean)
    })
    this.#coefficients.push(term!.coefficient)
    this.#ends.push(this.#attributes.length)
  }

  /**
   * Fills the row. Over an attribute of n codes that both look at, the mean of g·h is the overlap/n: the query's mean
   * length/n times overlap/length. So one starts from all the query's means.
   */
  fill({ terms }: Weights, row: Float64Array): void {
    const { attributes, columns, coefficient } = terms[0]!
    let start = coefficient
    columns.forEach((column, i) => {
      this.#queryFrom[attributes[i]!] = column.from
      this.#queryTo[attributes[i]!] = column.to
      this.#queryLength[attributes[i]!] = column.sum
      start *= column.mean
    })
    const [ends, coefficients, places, from, to, means] = this.#lists()
    const [queryFrom, queryTo, queryLength] = [this.#queryFrom, this.#queryTo, this.#queryLength]
    for (let b = 0, f = 0; b < ends.length; b++) {
      const end = ends[b]!
      let product = start * coefficients[b]!
      for (; f < end; f++) {
        const place = places[f]!
        const length = queryLength[place]!
        if (length === 0) product *= means[f]!
        else {
          const first = from[f]! > queryFrom[place]! ? from[f]! : queryFrom[place]!
          const last = to[f]! < queryTo[place]! ? to[f]! : queryTo[place]!
          product *= last < first ? 0 : (last - first + 1) / length
        }
      }
      row[b] = product
    }
    for (const place of attributes) queryLength[place] = 0
  }

  #lists() {
    return [this.#ends, this.#coefficients, this.#attributes, this.#from, this.#to, this.#means] as const
  }
}
