import { divide, one, type Rational, toNumber } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import {
  type Charge,
  chargeUnits,
  openAccount,
  scaleFor,
  type Terms,
  type Units,
  unitsToNumber,
} from '../accounting/index.ts'
import type { Parts } from './reserve.ts'

/** What a run may cost, and what an answer of it costs by itself. */
export class Reservation {
  readonly epsilon: Rational
  readonly units: Units
  readonly #terms: Terms
  /** The scale, in steps, at which each query alone costs ε = 1. */
  readonly #unitScales: readonly Rational[]

  constructor({ queries, epsilon }: { queries: readonly LinearQuery[]; epsilon: Rational }, { book }: Parts) {
    this.epsilon = epsilon
    this.units = chargeUnits(epsilon)
    this.#terms = { universe: book.universe, privacy: book.terms }
    this.#unitScales = queries.map((query) => scaleFor(query, one, this.#terms))
  }

  /** What an answer to a query costs by itself. */
  price(query: number, scale: Rational): Units {
    return chargeUnits(divide(this.#unitScales[query]!, scale))
  }
  /** A query's scale at price 1, as a double within 2^-51 of it. */
  nearUnitScale(query: number): number {
    return toNumber(this.#unitScales[query]!)
  }
  /** Whether these charges, all that the run would then have shown, keep it. */
  covers(charges: readonly Charge[]): boolean {
    return openAccount(this.#terms).with(charges, this.units) <= this.units
  }
  /** Says no, by throwing, to a run whose first answers alone cost more. */
  refuseStart(charges: readonly Charge[]): void {
    const needed = openAccount(this.#terms).with(charges, this.units)
    if (needed <= this.units) return
    const facts = { needed: unitsToNumber(needed), epsilon: toNumber(this.epsilon) }
    throw new ReticentError('scale-invalid', facts, {
      message: `even with the most noise these answers cost ε = ${facts.needed}, more than the ${facts.epsilon} of the whole run`,
      hint: 'Start from a larger scale, ask for fewer answers, or give the run more.',
    })
  }
  /** What a step beyond it is told. */
  exceeded(): ReticentError {
    return new ReticentError(
      'budget-exceeded',
      { reserved: toNumber(this.epsilon) },
      { message: 'this would cost more than the run has reserved', hint: 'Close the run where it is.' },
    )
  }
}
