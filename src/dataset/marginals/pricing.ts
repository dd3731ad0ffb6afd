import type { Session } from '../../answer/index.ts'
import { one, type Rational } from '../../numeric/index.ts'
import { type LinearQuery, marginal } from '../../query/index.ts'
import type { MarginalsContext } from '../../release/index.ts'
import {
  type AnswerCharge,
  fits,
  isPublic,
  measurementCharge,
  type Spending,
  scaleFor,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

export const termsOf = (book: Book) => ({ universe: book.universe, privacy: book.terms })

/** The universe, and what a query costs in it. */
export const pricesIn = (book: Book): Pick<MarginalsContext, 'universe' | 'unitScale'> => ({
  universe: book.universe,
  unitScale: (query) => scaleFor(query, one, termsOf(book)),
})

/** Whether all neighbours have the same table: that of one cell where the number of records is public. It is not bought. */
export const isShared = (attributes: readonly string[], book: Book): boolean =>
  isPublic(marginal(attributes), termsOf(book))

/** What a guard is asked about, and what is charged: an answer with Laplace noise. */
export const laplaceCharge = (query: LinearQuery, scale: Rational): AnswerCharge =>
  measurementCharge({ query, law: { kind: 'laplace', scale } })

/** A record is in every marginal, so it pays for all of them: as much as a run holds. */
export function isAffordable(held: Spending, { book, quota }: Pick<Session, 'book' | 'quota'>): boolean {
  const own = quota && book.spentWith([], quota.cap, { analyst: quota.name, held })
  return fits(book.spentWith([], book.cap, { held }), book.cap) && (!own || fits(own, quota.cap))
}
