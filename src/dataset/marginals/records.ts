import type { Session } from '../../answer/index.ts'
import { laplaceVariance, multiply, toNumber } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import { confidence, needsRecords, type Records, type RecordsUsed } from '../../release/index.ts'
import { isPublic, scaleFor } from '../../trusted/accounting/index.ts'
import type { Purchase } from './options.ts'
import { termsOf } from './pricing.ts'

/** How a release gets the number of records. `roughly`: an estimate from the history that is not precise enough. */
export type RecordsFor =
  | (Extract<Records, { kind: 'known' }> & { readonly from: Extract<RecordsUsed['from'], 'public' | 'history'> })
  | (Exclude<Records, { kind: 'known' }> & { readonly roughly?: number })

/** In one word. */
export const recordsFrom = (records: RecordsFor): RecordsUsed['from'] =>
  records.kind === 'known' ? records.from : records.kind === 'bought' ? 'bought' : 'tables'

/** Half the width of the interval that n is taken from the history with, relative to n. */
const nearEnough = 0.1
/**
 * Or with at most so many times the deviation that it would be bought with, however much that is: a release that was
 * refused for its ε has bought n, and is asked for again with a little more.
 */
const deviations = 2

/**
 * Public where it is, from the history where that has it precisely enough, else to be bought, if anything needs it. The
 * data are opened for a public number that has never been read, unless a plan says about how many records there are.
 */
export async function recordsFor(purchase: Purchase, session: Session, about?: number): Promise<RecordsFor> {
  const { book, knowledge } = session
  const terms = termsOf(book)
  const known = knowledge.about(countAll)?.[0]
  if (isPublic(countAll, terms)) {
    const count = known?.made.variance === 0 ? known.estimate : (about ?? (await publicRecords(session)))
    return { kind: 'known', count, from: 'public' }
  }
  const { share } = purchase.records
  if (known && known.estimate > 0) {
    const isNear = known.posterior().halfWidth(confidence) <= nearEnough * known.estimate
    const bought = laplaceVariance(toNumber(scaleFor(countAll, multiply(purchase.epsilon, share), terms)))
    if (isNear || known.made.variance <= deviations ** 2 * bought)
      return { kind: 'known', count: known.estimate, from: 'history' }
  }
  const roughly = known && { roughly: known.estimate }
  return needsRecords(purchase) ? { kind: 'bought', share, ...roughly } : { kind: 'unneeded', ...roughly }
}

/** From the data, without noise and at no cost. */
async function publicRecords({ meter, quota }: Session): Promise<number> {
  const charges = [{ query: countAll, law: { kind: 'none' } as const }]
  const { measurements } = await (await meter()).measure({ charges, analyst: quota, statement: null })
  return Number(measurements[0]!.values[0])
}
