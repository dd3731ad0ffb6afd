import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'
import type { Judge, Verdict } from './judge.ts'

/**
 * What is to be known of a query: its number of answers, its δ in steps, and the scale at which it alone costs ε = 1.
 */
interface Judged {
  readonly cells: number
  readonly floor: number
  readonly unitScale: number
}

/**
 * PickQueries (§4.3): which query's noise to lower next. It is handed what has been released and nothing else, so
 * whatever it makes of it is private.
 *
 * How urgent a query is depends on its own answers and scale alone. As long as the answers stay, urgency never rises on
 * the way down, except where `review` has said that it will look at them anew. This is what lets `reduce` go many steps
 * at once.
 *
 * For the least overall error (§5.3) urgency is the drop of a query's expected relative error over the rise of its price,
 *
 *   λΔ/|M| · Σ w(y)  /  (u/(λ - λΔ) - u/λ)  =  Σ w(y) · λ (λ - λΔ) / (|M| u),
 *
 * with the 1/|M| that Eq. 15 forgets: Definition 6 averages inside a marginal. How an answer y is weighed is the
 * judge's: in the paper as 1/max{δ, y}.
 *
 * The sum is of whole numbers: each summand by the largest there may be, in units of 2^-k, as fine as |M| of them fit in
 * 2^52. So it is exact, whatever changed in whatever order, and does not drift; the rounding is at most 2^-k of the
 * largest summand.
 */
export class OverallError {
  readonly #queries: readonly Judged[]
  readonly #judge: Judge
  readonly #verdicts: Verdict[] = []
  readonly #answers: Float64Array[] = []
  readonly #sums: Float64Array
  /** What makes an urgency of a sum. */
  readonly #factors: Float64Array

  constructor(queries: readonly Judged[], judge: Judge) {
    this.#queries = queries
    this.#judge = judge
    this.#sums = new Float64Array(queries.length)
    this.#factors = new Float64Array(queries.length)
  }

  /** Takes in a query's answers when a run is opened. */
  open(query: number, values: Integers): void {
    this.#answers[query] = Float64Array.from(values as ArrayLike<number | bigint>, Number)
  }

  /** Takes in those that changed. */
  change(query: number, { count, cells, values }: Revealed): void {
    const [answers, verdict] = [this.#answers[query]!, this.#verdicts[query]!]
    let sum = this.#sums[query]!
    for (let i = 0; i < count; i++) {
      const [cell, answer] = [cells[i]!, Number(values[i]!)]
      sum += verdict.weigh(answer) - verdict.weigh(answers[cell]!)
      answers[cell] = answer
    }
    this.#sums[query] = sum
  }

  /** Looks at the answers anew, at this scale; tells at or below which scale to look again. 0: never. */
  review(query: number, scale: number): number {
    const { floor, cells, unitScale } = this.#queries[query]!
    const unit = this.#judge.most(scale, floor) / 2 ** Math.floor(52 - Math.log2(cells))
    const verdict = this.#judge.look(this.#answers[query]!, { scale, floor, unit })
    this.#verdicts[query] = verdict
    this.#sums[query] = verdict.total
    this.#factors[query] = unit / (cells * unitScale)
    return verdict.until
  }

  /** Of a step from a scale to the next below. */
  urgency(query: number, scale: number, next: number): number {
    return this.#sums[query]! * (scale * next * this.#factors[query]!)
  }

  /** What no answers make more urgent. Never rises on the way down. */
  most(query: number, scale: number, next: number): number {
    const { floor, unitScale } = this.#queries[query]!
    return scale * next * (this.#judge.most(scale, floor) / unitScale)
  }
}
