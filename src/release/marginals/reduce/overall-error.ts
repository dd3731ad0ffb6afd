import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'
import type { Picker } from './picker.ts'

/**
 * What is to be known of a query: its number of answers, its δ in steps, and the scale at which it alone costs ε = 1.
 */
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
 * Noise makes many a count look smaller than it is, and the reciprocals of these would rule the sum. So δ is raised to
 * a share of λ where that is more: for a count that looks clearly negative, which a zero does one time in four, to half
 * of the share, else to twice the share. A share of 0 is the paper's picker. What δ is raised to stays while λ falls by
 * a tenth, so that sums need not be made anew at every step.
 *
 * The sum is of whole numbers: each summand by the largest, in units of 2^-k, as fine as |M| of them fit in 2^52. So it
 * is exact, whatever changed in whatever order, and does not drift; the rounding is at most 2^-k of the largest
 * summand.
 */
export class OverallError implements Picker {
  readonly #queries: readonly Judged[]
  readonly #noiseShare: number
  readonly #rules: Rule[]
  readonly #answers: Float64Array[] = []
  readonly #weights: Float64Array[] = []
  readonly #sums: Float64Array
  readonly #factors: Float64Array

  constructor(queries: readonly Judged[], noiseShare: number) {
    this.#queries = queries
    this.#noiseShare = noiseShare
    this.#rules = queries.map(({ cells }) => ({ top: 2 ** Math.floor(52 - Math.log2(cells)), cut: 0, low: 0, high: 0 }))
    this.#sums = new Float64Array(queries.length)
    this.#factors = new Float64Array(queries.length)
  }

  open(query: number, values: Integers): void {
    this.#answers[query] = Float64Array.from(values as ArrayLike<number | bigint>, Number)
    this.#weights[query] = new Float64Array(values.length)
  }

  change(query: number, { count, cells, values }: Revealed): void {
    const [answers, weights, rule] = [this.#answers[query]!, this.#weights[query]!, this.#rules[query]!]
    let sum = this.#sums[query]!
    for (let i = 0; i < count; i++) {
      const [cell, answer] = [cells[i]!, Number(values[i]!)]
      const weight = weigh(answer, rule)
      sum += weight - weights[cell]!
      answers[cell] = answer
      weights[cell] = weight
    }
    this.#sums[query] = sum
  }

  review(query: number, scale: number): number {
    const { floor, cells, unitScale } = this.#queries[query]!
    const [answers, weights, rule] = [this.#answers[query]!, this.#weights[query]!, this.#rules[query]!]
    rule.cut = -Math.LN2 * scale
    rule.low = this.#lowest(floor, scale)
    rule.high = Math.max(floor, 2 * this.#noiseShare * scale)
    let sum = 0
    for (let i = 0; i < answers.length; i++) {
      weights[i] = weigh(answers[i]!, rule)
      sum += weights[i]!
    }
    this.#sums[query] = sum
    this.#factors[query] = 1 / (rule.top * rule.low * cells * unitScale)
    return rule.high > floor ? 0.9 * scale : 0
  }

  urgency(query: number, scale: number, next: number): number {
    return this.#sums[query]! * (scale * next * this.#factors[query]!)
  }

  most(query: number, scale: number, next: number): number {
    const { floor, unitScale } = this.#queries[query]!
    return (scale * next) / (this.#lowest(floor, scale) * unitScale)
  }

  #lowest(floor: number, scale: number): number {
    return Math.max(floor, 0.5 * this.#noiseShare * scale)
  }
}

/**
 * How noisy counts are judged: below `cut` as `low`, else as at least `high`. The smallest, `low`, weighs `top` = 2^k.
 */
interface Rule {
  readonly top: number
  cut: number
  low: number
  high: number
}

/** At least 1: however large the counts, a marginal is never out of the running. */
const weigh = (value: number, { top, cut, low, high }: Rule): number =>
  value < cut ? top : Math.max(1, Math.round((top * low) / Math.max(high, value)))
