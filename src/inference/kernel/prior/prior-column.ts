import { sum } from '../../../numeric/index.ts'
import { type Column, crossSum, tableOf } from '../../blue/column.ts'
import { type AttributePrior, shareBetween } from './prior.ts'

/** A function g of one attribute's codes, and its sums under the attribute's prior. */
export class PriorColumn {
  readonly column: Column
  readonly mean: number
  readonly #prior: AttributePrior
  #weighted: Float64Array | undefined
  #below: Float64Array | undefined

  constructor(column: Column, prior: AttributePrior) {
    this.column = column
    this.#prior = prior
    const { interval, from, to } = column
    this.mean = !prior.shares ? column.mean : interval ? shareBetween(prior, from, to) : sum(this.weighted)
  }

  /** p·g for every code. */
  get weighted(): Float64Array {
    const { shares, size } = this.#prior
    this.#weighted ??= tableOf(this.column).map((value, code) => value * (shares ? shares[code]! : 1 / size))
    return this.#weighted
  }

  /** Σ p·g over the codes below each code. */
  get #sums(): Float64Array {
    if (this.#below) return this.#below
    const below = new Float64Array(this.#prior.size + 1)
    const table = this.weighted
    for (let code = 0; code < table.length; code++) below[code + 1] = below[code]! + table[code]!
    this.#below = below
    return below
  }

  /** Σ p·g·h. */
  cross(other: PriorColumn): number {
    const [g, h] = [this.column, other.column]
    if (!this.#prior.shares) return crossSum(g, h) / this.#prior.size
    const from = g.from > h.from ? g.from : h.from
    const to = g.to < h.to ? g.to : h.to
    if (from > to) return 0
    if (g.interval) return h.interval ? shareBetween(this.#prior, from, to) : other.#between(from, to)
    if (h.interval) return this.#between(from, to)
    const [x, y] = [this.weighted, tableOf(h)]
    let sum = 0
    for (let code = from; code <= to; code++) sum += x[code]! * y[code]!
    return sum
  }

  #between(from: number, to: number): number {
    const below = this.#sums
    return below[to + 1]! - below[from]!
  }
}
