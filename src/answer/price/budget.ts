import { toNumber } from '../../numeric/index.ts'
import {
  type AnswerCharge,
  addSpending,
  fits,
  leftOf,
  leftToHold,
  sumSpending,
  unitsToNumber,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Quota } from '../../trusted/meter/index.ts'
import { type Cost, priceOf, raisedBy } from './cost.ts'

/**
 * What a purchase is for. Where ρ counts, noise is Gaussian; releases of marginals that hold plain ε all the same have Laplace
 * noise, which is dearer in ρ and may be left where ρ is not: so the same budget leaves a different ε for either.
 */
type Purpose = 'questions' | 'laplace'

/**
 * What is left of the dataset's budget or of an analyst's; `epsilon` is the most that one more purchase of this kind may
 * cost, where every record pays for it.
 */
export function leftFor(book: Book, { quota, purpose = 'questions' }: { quota?: Quota; purpose?: Purpose } = {}): Cost {
  const [cap, spent] = quota ? [quota.cap, book.spent(quota.name)] : [book.cap, book.spent()]
  const epsilon = purpose === 'laplace' ? leftToHold(spent, cap) : leftOf(spent, cap, book)
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
  const added = addSpending(before, sumSpending(charges.map((charge) => priceOf(charge, book))))
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
