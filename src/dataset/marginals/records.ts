import { laplaceVariance, multiply, toNumber } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import { confidence, needsRecords, type Records, type RecordsUsed } from '../../release/index.ts'
import { isPublic, scaleFor } from '../../trusted/accounting/index.ts'
import { type Making, termsOf } from './making.ts'
import type { MarginalsChoice } from './options.ts'

/** How a release comes by the number of records. `roughly`: the history tells it, if not well enough. */
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

/** Public where it is, from the history where that tells it well enough, else to be bought, if anything needs it. */
export async function recordsFor(
  choice: MarginalsChoice & { readonly epsilon: NonNullable<MarginalsChoice['epsilon']> },
  { book, knowledge, quota, meter }: Making,
): Promise<RecordsFor> {
  const terms = termsOf(book)
  const known = knowledge.about(countAll)?.[0]
  if (isPublic(countAll, terms)) {
    if (known?.made.variance === 0) return { kind: 'known', count: known.estimate, from: 'public' }
    const charges = [{ query: countAll, law: { kind: 'none' } as const }]
    const { measurements } = await (await meter()).measure({ charges, analyst: quota, statement: null })
    return { kind: 'known', count: Number(measurements[0]!.values[0]), from: 'public' }
  }
  if (known && known.estimate > 0) {
    const isNear = known.posterior().halfWidth(confidence) <= nearEnough * known.estimate
    const bought = laplaceVariance(toNumber(scaleFor(countAll, multiply(choice.epsilon, choice.countShare), terms)))
    if (isNear || known.made.variance <= deviations ** 2 * bought)
      return { kind: 'known', count: known.estimate, from: 'history' }
  }
  const roughly = known && { roughly: known.estimate }
  return needsRecords(choice)
    ? { kind: 'bought', share: choice.countShare, ...roughly }
    : { kind: 'unneeded', ...roughly }
}
