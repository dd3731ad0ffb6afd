import { costOf, leftToAsk, raisedBy, type Session } from '../../answer/index.ts'
import { one, toldDown, toldUp } from '../../numeric/index.ts'
import { marginal } from '../../query/index.ts'
import type { MarginalsContext } from '../../release/index.ts'
import { problem, type ReticentError } from '../../schema/index.ts'
import {
  epsilonOfRho,
  fits,
  type Held,
  isPublic,
  type Spending,
  scaleFor,
  varianceFor,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

export const termsOf = (book: Book) => ({ universe: book.universe, privacy: book.terms })

/** The universe, and what a query costs in it, in what is held. */
export const pricesIn = (book: Book, { rho }: Held): Pick<MarginalsContext, 'universe' | 'unitNoise'> => ({
  universe: book.universe,
  unitNoise: (query) => (rho ? varianceFor : scaleFor)(query, one, termsOf(book)),
})

/** A price by itself, as people read it: in ρ also the ε that it comes to. */
export interface TablePrice {
  readonly epsilon: number
  readonly rho?: number
}
export const tablePrice = (price: number, { rho }: Held, { terms }: Book): TablePrice =>
  rho ? { epsilon: epsilonOfRho(price, terms.delta), rho: price } : { epsilon: price }

/** Whether all neighbours have the same table: that of one cell where the number of records is public. It is not bought. */
export const isShared = (attributes: readonly string[], book: Book): boolean =>
  isPublic(marginal(attributes), termsOf(book))

/** What is left is another ε for what holds plain ε, where ρ counts. */
export const purposeOf = ({ rho }: Held): 'questions' | 'laplace' => (rho ? 'questions' : 'laplace')

/** A record is in every marginal, so it pays for all of them: as much as a run holds. */
export function isAffordable(held: Spending, { book, quota }: Pick<Session, 'book' | 'quota'>): boolean {
  const own = quota && book.spentWith([], quota.cap, { analyst: quota.name, held })
  return fits(book.spentWith([], book.cap, { held }), book.cap) && (!own || fits(own, quota.cap))
}

/** What holding so much would do to the budget, from the policy and the ledger alone. */
export function outlookOfRun(
  held: Spending,
  session: Pick<Session, 'book' | 'quota'>,
  purpose?: ReturnType<typeof purposeOf>,
) {
  const { book, quota } = session
  return {
    cost: costOf(held, book),
    raised: raisedBy(book.spent(), book.spentWith([], { epsilon: 0, rho: book.cap.rho && 0 }, { held }), book),
    affordable: isAffordable(held, session),
    left: leftToAsk(book, quota, purpose),
  }
}

/** More than is left. `what` names whom it is left for, where others have another ε left. */
export const tooExpensive = (asked: number, left: number, what = ''): ReticentError =>
  problem(
    'budget-exceeded',
    `this costs ε = ${toldUp(asked)}, but only ${toldDown(left)} is left${what}`,
    left > 0 ? `Ask with --epsilon ${toldDown(left)} or less.` : 'Nothing is left to spend.',
    { asked, left },
  )
