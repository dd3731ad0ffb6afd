import { type Measurement, noiseSpread } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { PaidChoice } from '../price/choice.ts'
import { priceOf } from '../price/cost.ts'

/** The purchase of this noise by refining a look, for the difference; afresh where that cannot be done or is no use. */
export function refinementOf(fresh: AnswerCharge, look: Measurement | undefined, book: Book): PaidChoice {
  const isLaplace = fresh.law.kind === 'laplace' && look?.law.kind === 'laplace'
  // At the largest noise that is sold, the look had no more of it.
  if (!isLaplace || !isRefinable(book) || book.isRefined(look.id) || noiseSpread(fresh.law) >= noiseSpread(look.law))
    return { kind: 'fresh', charge: fresh, price: priceOf(fresh, book) }
  const charge: AnswerCharge = { kind: 'refinement', query: fresh.query, law: fresh.law, paid: look.law }
  return { kind: 'refined', charge, price: priceOf(charge, book), parent: look.id }
}

/** Whether looks can be refined, and cost the difference: in ρ they would cost all of it. */
export const isRefinable = (book: Book): boolean => book.canRefine && book.cap.rho === null
