import type { Session } from '../../answer/index.ts'
import { needsRecords, priceOfRecords, type Records, type RecordsUsed } from '../../release/index.ts'
import { type KnownRecords, knownRecords } from '../known-records.ts'
import type { MarginalsPurchase } from './options.ts'
import { pricesIn } from './pricing.ts'

/** How a release gets the number of records. `roughly`: an estimate from the history that is not precise enough. */
export type RecordsFor = KnownRecords | (Exclude<Records, { kind: 'known' }> & { readonly roughly?: number })

/** In one word. */
export const recordsFrom = (records: RecordsFor): RecordsUsed['from'] =>
  records.kind === 'known' ? records.from : records.kind === 'bought' ? 'bought' : 'tables'

/** Public or from the history, else to be bought, if anything needs it. `about` is for a plan. */
export async function recordsFor(purchase: MarginalsPurchase, session: Session, about?: number): Promise<RecordsFor> {
  const { share } = purchase.records
  const { variance } = priceOfRecords(purchase, pricesIn(session.book, purchase.budget))!
  const known = await knownRecords(session, variance, about)
  if (known.kind === 'known') return known
  const { kind: _, ...roughly } = known
  return needsRecords(purchase) ? { kind: 'bought', share, ...roughly } : { kind: 'unneeded', ...roughly }
}
