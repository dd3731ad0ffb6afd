import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'
import type { Picker } from './picker.ts'

/** What is to be known of a query: its number of answers, its δ in steps, and the scale at which it alone costs ε = 1. */
export interface Judged {
  readonly cells: number
  readonly floor: number
  readonly unitScale: number
}

/**
 * For the least overall error (§5.3): the drop of a query's expected relative error over the rise of its price,
 *
 *   λΔ/|M| · Σ 1/max{δ, y}  /  (u/(λ - λΔ) - u/λ)  =  Σ 1/max{δ, y} · λ (λ - λΔ) / (|M| u),
 *
 * with the 1/|M| that Eq. 15 forgets: Definition 6 averages inside a marginal.
 *
 * δ is raised to a share of λ where that is more: noise makes many a count look smaller than it is, and their reciprocals
 * would rule the sum. A share of 0 is the paper's. The raised δ is kept while λ falls by a tenth, so that sums need not be made anew at every step.
 *
 * The sum is of whole numbers: δ/max{δ, y} in units of 2^-k, as fine as |M| of them fit in 2^52. So it is exact, whatever
 * changed in whatever order, and does not drift; the rounding is at most 2^-k of the largest summand.
 */
export class OverallError implements Picker {
  readonly #queries: readonly Judged[]
  readonly #noiseShare: number
  /** 2^k. */
  readonly #tops: Float64Array
  /** δ as it is now. */
  readonly #floors: Float64Array
  readonly #factors: Float64Array
  readonly #answers: Float64Array[] = []
  readonly #weights: Float64Array[] = []
  readonly #sums: Float64Array

  constructor(queries: readonly Judged[], noiseShare: number) {
    this.#queries = queries
    this.#noiseShare = noiseShare
    this.#tops = Float64Array.from(queries, ({ cells }) => 2 ** Math.floor(52 - Math.log2(cells)))
    this.#floors = new Float64Array(queries.length)
    this.#factors = new Float64Array(queries.length)
    this.#sums = new Float64Array(queries.length)
  }

  open(query: number, values: Integers): void {
    this.#answers[query] = Float64Array.from(values as ArrayLike<number | bigint>, Number)
    this.#weights[query] = new Float64Array(values.length)
  }

  change(query: number, { count, cells, values }: Revealed): void {
    const [answers, weights] = [this.#answers[query]!, this.#weights[query]!]
    const [top, floor] = [this.#tops[query]!, this.#floors[query]!]
    let sum = this.#sums[query]!
    for (let i = 0; i < count; i++) {
      const [cell, answer] = [cells[i]!, Number(values[i]!)]
      const weight = weigh(answer, top, floor)
      sum += weight - weights[cell]!
      answers[cell] = answer
      weights[cell] = weight
    }
    this.#sums[query] = sum
  }

  review(query: number, scale: number): number {
    const { floor, cells, unitScale } = this.#queries[query]!
    const [answers, weights, top] = [this.#answers[query]!, this.#weights[query]!, this.#tops[query]!]
    const raised = Math.max(floor, this.#noiseShare * scale)
    let sum = 0
    for (let i = 0; i < answers.length; i++) {
      weights[i] = weigh(answers[i]!, top, raised)
      sum += weights[i]!
    }
    this.#sums[query] = sum
    this.#floors[query] = raised
    this.#factors[query] = 1 / (top * raised * cells * unitScale)
    return raised > floor ? 0.9 * scale : 0
  }

  urgency(query: number, scale: number, next: number): number {
    return this.#sums[query]! * (scale * next * this.#factors[query]!)
  }

  most(query: number, scale: number, next: number): number {
    const { floor, unitScale } = this.#queries[query]!
    return (scale * next) / (Math.max(floor, this.#noiseShare * scale) * unitScale)
  }
}

/** At least 1: however large the counts, a marginal is never out of the running. */
const weigh = (value: number, top: number, floor: number): number =>
  value <= floor ? top : Math.max(1, Math.round((top * floor) / value))
