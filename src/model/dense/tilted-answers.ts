import { dot } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { NoisyAnswer } from '../fitted-model.ts'
import { Projection } from './projection.ts'
import { answersFrom, type QueryTable, queryTable, spreadOut } from './query-table.ts'

/** Exact answers are fitted as if they had been rounded. */
const leastVariance = 1 / 12

/** Noisy answers as functions of the logarithms of a table's shares, all in units of their own noise. */
export class TiltedAnswers {
  readonly #records: number
  readonly #parts: readonly {
    readonly query: QueryTable
    readonly projection: Projection
    readonly start: number
    readonly values: ArrayLike<number>
    /** Records per unit of noise. */
    readonly unit: number
  }[]
  readonly #length: number

  constructor(answers: readonly NoisyAnswer[], universe: Universe, records: number) {
    const sizes = universe.attributes.map(({ size }) => size)
    let start = 0
    this.#parts = answers.map(({ query, values, variance }) => {
      const table = queryTable(query, universe)
      const projection = new Projection(sizes, table.axes)
      const part = { query: table, projection, start, values, unit: 1 / Math.sqrt(Math.max(variance, leastVariance)) }
      start += table.answers
      return part
    })
    this.#length = start
    this.#records = records
  }

  /** How far the noisy answers are from those of these shares. */
  residuals(shares: Float64Array): Float64Array {
    const all = this.#answers(shares)
    for (const { start, values, unit, query } of this.#parts)
      for (let i = 0; i < query.answers; i++) all[start + i] = values[i]! * unit - all[start + i]!
    return all
  }

  /** By how much answers change as the logarithms change by this much: those of p·(change - its mean). */
  derivative(shares: Float64Array, change: Float64Array): Float64Array {
    const mean = dot(shares, change)
    return this.#answers(shares.map((share, i) => share * (change[i]! - mean)))
  }

  /** The same matrix the other way. */
  transposed(shares: Float64Array, numbers: Float64Array): Float64Array {
    const sums = new Float64Array(shares.length)
    for (const { start, query, unit, projection } of this.#parts) {
      const own = numbers.subarray(start, start + query.answers).map((number) => number * unit * this.#records)
      projection.add(sums, spreadOut(query, own))
    }
    const mean = dot(shares, sums)
    return sums.map((value, i) => shares[i]! * (value - mean))
  }

  #answers(shares: Float64Array): Float64Array {
    const all = new Float64Array(this.#length)
    for (const { query, projection, start, unit } of this.#parts)
      all.set(answersFrom(query, projection.sum(shares, this.#records * unit)), start)
    return all
  }
}
