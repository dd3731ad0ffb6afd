import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'
import type { Picker } from './picker.ts'

/**
 * For the least largest error (§4.3): the query of the largest λ/max{y, δ}, whatever a step costs. Of a query with many
 * answers the smallest counts.
 */
export class LargestError implements Picker {
  readonly #floors: Float64Array
  readonly #answers: Float64Array[] = []
  readonly #least: Float64Array

  /** The δ of each query, in steps: relative errors have no unit, so neither steps nor sensitivities need be equal. */
  constructor(floors: readonly number[]) {
    this.#floors = Float64Array.from(floors)
    this.#least = new Float64Array(floors.length)
  }

  open(query: number, values: Integers): void {
    this.#answers[query] = Float64Array.from(values as ArrayLike<number | bigint>, Number)
    this.review(query)
  }

  change(query: number, { count, cells, values }: Revealed): void {
    const answers = this.#answers[query]!
    const before = this.#least[query]!
    let [least, risen] = [before, false]
    for (let i = 0; i < count; i++) {
      const answer = Number(values[i]!)
      risen ||= answers[cells[i]!] === before
      answers[cells[i]!] = answer
      least = Math.min(least, answer)
    }
    if (risen && least === before) this.review(query)
    else this.#least[query] = least
  }

  review(query: number): number {
    this.#least[query] = this.#answers[query]!.reduce(
      (least, answer) => Math.min(least, answer),
      Number.POSITIVE_INFINITY,
    )
    return 0
  }

  urgency(query: number, scale: number): number {
    return scale / Math.max(this.#floors[query]!, this.#least[query]!)
  }

  most(query: number, scale: number): number {
    return scale / this.#floors[query]!
  }
}
