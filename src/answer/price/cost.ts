import { toNumber } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'
import {
  type Charge,
  epsilonAt,
  measurementCharge,
  priceInBoth,
  type Spending,
  unitsToNumber,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

/** A privacy cost as people read it: ε at δ. Where the policy has δ > 0, ρ beside it. */
export interface Cost {
  readonly epsilon: number
  readonly delta: number
  readonly rho?: number
}

const at = (book: Book, epsilon: number, rho: number): Cost =>
  book.cap.rho === null
    ? { epsilon, delta: 0 }
    : { epsilon, delta: toNumber(book.terms.delta), rho: unitsToNumber(rho) }

export const costOf = (spending: Spending, book: Book): Cost => at(book, epsilonAt(spending, book), spending.rho)

/** By how much a bound rose. */
export const raisedBy = (before: Spending, after: Spending, book: Book): Cost =>
  book.cap.rho === null
    ? { epsilon: rise(unitsToNumber(before.epsilon), unitsToNumber(after.epsilon)), delta: 0 }
    : at(book, rise(epsilonAt(before, book), epsilonAt(after, book)), Math.max(0, after.rho - before.rho))

/** Both have at most twelve digits after the point; so has what is between them. */
const rise = (before: number, after: number): number => (after > before ? Number((after - before).toFixed(12)) : 0)

/** A charge's own price in both currencies. */
export const priceOf = (charge: Charge, { universe, terms: privacy }: Book): Spending =>
  priceInBoth(charge, { universe, privacy })
/** What an answer cost by itself. */
export const priceOfAnswer = (answer: Measurement, book: Book): Spending => priceOf(measurementCharge(answer), book)
