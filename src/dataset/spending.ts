import { priceOf } from '../answer/index.ts'
import { attributesOf, weightAt } from '../query/index.ts'
import { type AnswerCharge, distanceSensitivity, isAnswer, openAccount } from '../trusted/accounting/index.ts'
import type { Book } from '../trusted/ledger/index.ts'

/** The share of the most expensive record's cost that is due to answers involving an attribute. */
export interface AttributeSpending {
  readonly attribute: string
  /** An answer about two attributes counts for both, so shares may add up to more than 1. */
  readonly share: number
}

/**
 * Spending by attribute in this epoch, for the most expensive cell that a search finds. It is for display only, so the
 * charges of a cell may be rounded here.
 */
export function spendingByAttribute(book: Book): AttributeSpending[] {
  const { universe, terms: privacy } = book
  const currency = book.cap.rho === null ? 'epsilon' : 'rho'
  const charges = book.releases.flatMap((release) => release.charges.filter(isAnswer))
  const account = openAccount({ universe, privacy, currency })
  account.add(charges)
  const { cell } = account.bestCell(restarts)
  const paid = charges.map((charge) => ({
    attributes: attributesOf(charge.query, universe),
    cost: priceOf(charge, book)[currency] * portionAt(cell, charge, book) ** (currency === 'rho' ? 2 : 1),
  }))
  const total = paid.reduce((sum, { cost }) => sum + cost, 0)
  return universe.attributes.map(({ name }) => {
    const own = paid.reduce((sum, { attributes, cost }) => (attributes.includes(name) ? sum + cost : sum), 0)
    return { attribute: name, share: total > 0 ? own / total : 0 }
  })
}

/** Enough for a picture. */
const restarts = 20

/** What a record of this cell pays of a charge's price: 1 where no record pays more. */
function portionAt(cell: Int32Array, { query }: AnswerCharge, { universe, terms: privacy }: Book): number {
  const rows = privacy.unit.kind === 'row' ? 1 : privacy.unit.rows
  const most = Number(distanceSensitivity(query, { universe, privacy }))
  const own = rows * Math.abs(weightAt(query, universe, cell)) * (privacy.neighbours === 'replace-one' ? 2 : 1)
  return most > 0 ? Math.min(1, own / most) : 0
}
