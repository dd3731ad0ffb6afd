import { fromNumber, one, toNumber } from '../../numeric/index.ts'
import { isInNoiseRange, type LinearQuery, type NoiseLaw } from '../../query/index.ts'
import { type AnswerCharge, isPublic, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { sellable } from '../price/range.ts'

/**
 * The noise of one part of a ratio, by its size in the data's own units: Laplace's scale, or Gauss's deviation if the policy has a δ.
 */
export class PartNoise {
  readonly query: LinearQuery
  /** It is public: it costs nothing and has no noise. */
  readonly isPublic: boolean
  /** The size that a price of 1 buys. */
  readonly unit: number
  readonly #step: number
  readonly #book: Book

  constructor(query: LinearQuery, book: Book) {
    const terms = { universe: book.universe, privacy: book.terms }
    this.query = query
    this.isPublic = isPublic(query, terms)
    this.#book = book
    this.#step = toNumber(query.step)
    const steps = this.isPublic
      ? 0
      : book.cap.rho === null
        ? toNumber(scaleFor(query, one, terms))
        : Math.sqrt(toNumber(varianceFor(query, one, terms)))
    this.unit = this.#step * steps
  }

  /** The purchase with noise of this size; undefined if so little is not for sale. */
  charge(size: number): AnswerCharge | undefined {
    const law = this.isPublic ? ({ kind: 'none' } as const) : sellable(this.#law(size / this.#step), this.#book)
    return isInNoiseRange(law) ? { kind: 'measurement', query: this.query, law } : undefined
  }

  /** In ε, or in ρ if the policy has a δ. */
  price(size: number): number {
    const times = this.unit / size
    return this.#book.cap.rho === null ? times : times * times
  }

  #law(steps: number): NoiseLaw {
    const rounded = (x: number) => fromNumber(Number(x.toPrecision(6)))
    return this.#book.cap.rho === null
      ? { kind: 'laplace', scale: rounded(steps) }
      : { kind: 'gaussian', variance: rounded(steps * steps) }
  }
}
