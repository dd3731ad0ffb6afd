import { divide, one, type Rational, toNumber } from '../../numeric/index.ts'
import type { QueryList } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import {
  type Charge,
  chargeUnits,
  type Held,
  openAccount,
  price,
  scaleFor,
  type Terms,
  type Units,
  unitsToNumber,
  varianceFor,
} from '../accounting/index.ts'
import type { Parts } from './reserve.ts'

/** What a run may cost, in the currency that it reserves, and the price of each thing that it sells. */
export class Reservation {
  readonly units: Units
  readonly #held: Rational
  readonly #terms: Terms
  readonly #queries: QueryList
  /** For each query, the noise at which it alone costs 1: a scale if the run reserves ε, a variance if it reserves ρ. */
  readonly #unitNoise: Rational[] = []

  constructor({ queries, epsilon, rho }: Held & { readonly queries: QueryList }, { book }: Parts) {
    this.#held = rho ?? epsilon
    this.units = chargeUnits(this.#held)
    this.#terms = { universe: book.universe, privacy: book.terms, currency: rho ? 'rho' : 'epsilon' }
    this.#queries = queries
  }

  /** What an answer to a query costs by itself; `noise` is its scale under ε, its variance under ρ. */
  priceOfAnswer(query: number, noise: Rational): Units {
    return chargeUnits(divide(this.#unit(query), noise))
  }
  price(charge: Charge): Units {
    return price(charge, this.#terms)
  }
  /** A query's scale at price 1, as a double within 2^-51 of it. */
  nearUnitScale(query: number): number {
    return toNumber(this.#unit(query))
  }
  #unit(query: number): Rational {
    const noiseFor = this.#terms.currency === 'rho' ? varianceFor : scaleFor
    const known = this.#unitNoise[query] ?? noiseFor(this.#queries.at(query)!, one, this.#terms)
    this.#unitNoise[query] = known
    return known
  }
  /** Whether these charges, everything that the run would then have revealed, fit the reservation. */
  covers(charges: readonly Charge[]): boolean {
    return openAccount(this.#terms).with(charges, this.units) <= this.units
  }
  /** Throws if the first answers alone cost more than the reservation. */
  refuseStart(charges: readonly Charge[]): void {
    const needed = openAccount(this.#terms).with(charges, this.units)
    if (needed <= this.units) return
    const facts = { needed: unitsToNumber(needed), epsilon: toNumber(this.#held) }
    throw new ReticentError('scale-invalid', facts, {
      message: `even with the most noise these answers cost ε = ${facts.needed}, more than the ${facts.epsilon} of the whole run`,
      hint: 'Start from a larger scale, ask for fewer answers, or reserve more for the run.',
    })
  }
  /** The error for a step beyond the reservation. */
  exceeded(): ReticentError {
    return new ReticentError(
      'budget-exceeded',
      { reserved: toNumber(this.#held) },
      { message: 'this would cost more than the run has reserved', hint: 'Close the run where it is.' },
    )
  }
}
