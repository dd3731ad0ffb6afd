import type { Session } from '../../answer/index.ts'
import { fromNumber, one, type Rational } from '../../numeric/index.ts'
import { type LinearQuery, marginal } from '../../query/index.ts'
import type { MarginalsContext, MarginalsRequest } from '../../release/index.ts'
import { type AnswerCharge, fits, isPublic, type Spending, scaleFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Approve, Meter, Quota } from '../../trusted/meter/index.ts'
import type { MarginalsChoice } from './options.ts'
import type { RecordsFor } from './records.ts'

/** What a release of marginals, or a plan of one, is made with. */
export interface Making {
  readonly book: Book
  readonly knowledge: Session['knowledge']
  readonly quota: Quota | null
  /** Uniform numbers below 1, for proofs and simulations about public numbers. */
  readonly random: () => number
  readonly meter: () => Promise<Meter>
  readonly approve: Approve
}

export const termsOf = (book: Book) => ({ universe: book.universe, privacy: book.terms })

/** Whether all neighbours have the same table: that of one cell where the number of records is public. It is not bought. */
export const isShared = (attributes: readonly string[], book: Book): boolean =>
  isPublic(marginal(attributes), termsOf(book))

export const unitScale =
  (book: Book): MarginalsContext['unitScale'] =>
  (query) =>
    scaleFor(query, one, termsOf(book))

export const requestOf = (choice: MarginalsChoice, epsilon: Rational, records: RecordsFor): MarginalsRequest => {
  const { marginals, method, floor, firstShare } = choice
  return { marginals, method, epsilon, floor, records, ...(firstShare && { firstShare }) }
}

export const floorOf = (floor: MarginalsChoice['floor'], records: number): number =>
  floor.kind === 'count' ? floor.count : floor.share * records

/** What a guard is asked about: answers of these scales, for each marginal. */
export const chargesOf = <Planned extends { readonly query: LinearQuery }>(
  planned: readonly Planned[],
  scales: (one: Planned) => readonly number[],
): AnswerCharge[] =>
  planned.flatMap((one) =>
    scales(one).map((scale) => ({
      kind: 'measurement',
      query: one.query,
      law: { kind: 'laplace', scale: fromNumber(scale) },
    })),
  )

/** A record is in every marginal, so it pays for all of them: as much as a run holds. */
export function isAffordable(held: Spending, book: Book, quota: Quota | null): boolean {
  const own = quota && book.spentWith([], quota.cap, { analyst: quota.name, held })
  return fits(book.spentWith([], book.cap, { held }), book.cap) && (!own || fits(own, quota.cap))
}
