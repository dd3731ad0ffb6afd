import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'
import type { Picker } from './picker.ts'

/**
 * For the least overall error (§5.3): the drop of a query's expected relative error over the rise of its price,
 *
 *   λΔ/|M| · Σ 1/max{δ, y}  /  (u/(λ - λΔ) - u/λ)  =  Σ 1/max{δ, y} · λ (λ - λΔ) / (|M| u),
 *
 * with the 1/|M| that Eq. 15 forgets: Definition 6 averages inside a marginal.
 *
 * The sum is of whole numbers: δ/max{δ, y} in units of 2^-k, as fine as |M| of them fit in 2^52. So it is exact, whatever changed in
 * whatever order, and does not drift; the rounding is at most 2^-k of the largest summand.
 */
export class OverallError implements Picker {
  readonly #floors: Float64Array
  readonly #tops: Float64Array
  readonly #factors: Float64Array
  readonly #weights: Float64Array[] = []
  readonly #sums: Float64Array

  /** Of each query: its number of answers, its δ in steps, and the scale at which it alone costs ε = 1. */
  constructor(queries: readonly { readonly cells: number; readonly floor: number; readonly unitScale: number }[]) {
    this.#floors = Float64Array.from(queries, ({ floor }) => floor)
    this.#tops = Float64Array.from(queries, ({ cells }) => 2 ** Math.floor(52 - Math.log2(cells)))
    this.#factors = Float64Array.from(
      queries,
      ({ cells, floor, unitScale }, j) => 1 / (this.#tops[j]! * floor * cells * unitScale),
    )
    this.#sums = new Float64Array(queries.length)
  }

  open(query: number, values: Integers): number {
    const [top, floor] = [this.#tops[query]!, this.#floors[query]!]
    const weights = Float64Array.from(values as ArrayLike<number | bigint>, (value) => weigh(Number(value), top, floor))
    this.#weights[query] = weights
    this.#sums[query] = weights.reduce((sum, weight) => sum + weight, 0)
    return this.#sums[query]!
  }

  change(query: number, { count, cells, values }: Revealed): number {
    const [top, floor, weights] = [this.#tops[query]!, this.#floors[query]!, this.#weights[query]!]
    let sum = this.#sums[query]!
    for (let i = 0; i < count; i++) {
      const weight = weigh(Number(values[i]!), top, floor)
      sum += weight - weights[cells[i]!]!
      weights[cells[i]!] = weight
    }
    this.#sums[query] = sum
    return sum
  }

  most(query: number): number {
    return this.#tops[query]! * this.#weights[query]!.length
  }

  worth(query: number, scale: number, next: number): number {
    return scale * next * this.#factors[query]!
  }
}

/** At least 1: however large the counts, a marginal is never out of the running. */
const weigh = (value: number, top: number, floor: number): number =>
  value <= floor ? top : Math.max(1, Math.round((top * floor) / value))
