import { toNumber } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'
import {
  type AnswerCharge,
  addSpending,
  type Charge,
  epsilonAt,
  fits,
  leftOf,
  leftToHold,
  measurementCharge,
  priceInBoth,
  type Spending,
  unitsToNumber,
  zeroSpending,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Quota } from '../../trusted/meter/index.ts'

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

/**
 * What a purchase is for. Where ρ counts, questions and trees buy Gaussian noise; marginals hold plain ε, which is dearer in
 * ρ and may be left where ρ is not: so the same budget leaves a different ε for either.
 */
export type Purpose = 'questions' | 'marginals'

/**
 * What is left of the dataset's budget or of an analyst's; `epsilon` is the most that one more purchase of this kind may
 * cost, where every record pays for it.
 */
export function leftFor(book: Book, { quota, purpose = 'questions' }: { quota?: Quota; purpose?: Purpose } = {}): Cost {
  const [cap, spent] = quota ? [quota.cap, book.spent(quota.name)] : [book.cap, book.spent()]
  const epsilon = purpose === 'marginals' ? leftToHold(spent, cap) : leftOf(spent, cap, book)
  return cap.rho === null
    ? { epsilon, delta: 0 }
    : { epsilon, delta: toNumber(book.terms.delta), rho: unitsToNumber(Math.max(0, cap.rho - spent.rho)) }
}

/** What whoever asks has left: of the dataset's budget or of their own, whichever is less. */
export function leftToAsk(book: Book, quota: Quota | null, purpose?: Purpose): Cost {
  const all = leftFor(book, { purpose })
  const own = quota && leftFor(book, { quota, purpose })
  return own && own.epsilon < all.epsilon ? own : all
}

/** What buying these would do to the budget, from the policy and the ledger alone. */
export function outlook(
  charges: readonly AnswerCharge[],
  book: Book,
  quota: Quota | null,
): { readonly raised: Cost; readonly affordable: boolean; readonly left: Cost } {
  // The check stops working where the cap is kept. How much is raised is worth more work: as for a cap of 0.
  const closer = book.spentWith(charges, { epsilon: 0, rho: book.cap.rho && 0 })
  const before = book.spent()
  const added = addSpending(before, charges.map((charge) => priceOf(charge, book)).reduce(addSpending, zeroSpending))
  const least = { epsilon: Math.min(closer.epsilon, added.epsilon), rho: Math.min(closer.rho, added.rho) }
  return {
    raised: raisedBy(before, least, book),
    affordable: isAffordable(charges, book, quota),
    left: leftToAsk(book, quota),
  }
}

/** Whether the dataset's budget allows it, and that of whoever asks. */
export function isAffordable(charges: readonly AnswerCharge[], book: Book, quota: Quota | null): boolean {
  const after = book.spentWith(charges, book.cap)
  const own = quota && book.spentWith(charges, quota.cap, { analyst: quota.name })
  return fits(after, book.cap) && (!own || fits(own, quota.cap))
}

/** A charge's own price in both currencies. */
export const priceOf = (charge: Charge, { universe, terms: privacy }: Book): Spending =>
  priceInBoth(charge, { universe, privacy })
/** What an answer cost by itself. */
export const priceOfAnswer = (answer: Measurement, book: Book): Spending => priceOf(measurementCharge(answer), book)
