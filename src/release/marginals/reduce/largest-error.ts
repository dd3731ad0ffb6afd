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

  open(query: number, values: Integers): number {
    this.#answers[query] = Float64Array.from(values, Number)
    return this.#lookAgain(query)
  }

  change(query: number, { count, cells, values }: Revealed): number {
    const answers = this.#answers[query]!
    const before = this.#least[query]!
    let [least, gone] = [before, false]
    for (let i = 0; i < count; i++) {
      const value = Number(values[i]!)
      gone ||= answers[cells[i]!] === before
      answers[cells[i]!] = value
      least = Math.min(least, value)
    }
    // The smallest may have risen.
    if (gone && least === before) return this.#lookAgain(query)
    return this.#weight(query, least)
  }

  most(query: number): number {
    return 1 / this.#floors[query]!
  }

  worth(_query: number, scale: number): number {
    return scale
  }

  #lookAgain(query: number): number {
    return this.#weight(
      query,
      this.#answers[query]!.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    )
  }
  #weight(query: number, least: number): number {
    this.#least[query] = least
    return 1 / Math.max(this.#floors[query]!, least)
  }
}
