import { type Cost, costOf, leftFor, priceOfAnswer, raisedBy, type Session, scaleOf } from '../../answer/index.ts'
import { laplaceScale, median, repeatable } from '../../numeric/index.ts'
import { countAll, type Measurement, marginal, queryKey } from '../../query/index.ts'
import {
  type Consistent,
  confidence,
  consistentMarginals,
  type ExpectedError,
  type ExpectedErrors,
  type MarginalTable,
  type MarginalTables,
  type MeasuredTable,
  ownAnswers,
  type RecordsUsed,
} from '../../release/index.ts'
import { attributeNamed } from '../../schema/index.ts'
import { type Held, type Spending, sumSpending } from '../../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../../trusted/ledger/index.ts'
import { currentMeasurements, publicCount } from '../history/measurements.ts'
import type { TablesRequest } from './options.ts'
import { isShared, purposeOf, type TablePrice } from './pricing.ts'
import { heldBackWarnings, laplaceWarnings, noiseWarnings } from './warnings.ts'

/** What a release costs, or would. */
export interface Costing {
  readonly cost: Cost
  /** By how much the bound on what the dataset has spent rises. */
  readonly raised: Cost
  readonly left: Cost
}
export interface MarginalsRelease extends Costing, MarginalTables {
  readonly spent: Cost
}
/** What tables are made from: a purchase, or the history alone. */
export interface TablesSource extends Pick<MarginalTables, 'method' | 'floor'> {
  /** What was held for it; undefined if nothing was bought. */
  readonly budget?: Held
  /** The number of records that was used; undefined if nothing needed it. */
  readonly records?: Pick<RecordsUsed, 'count' | 'from'>
  /** What the dataset had spent before. */
  readonly before: Spending
  readonly paid: Spending
  /** The answers that count as a marginal's own, by query. */
  readonly own: ReadonlyMap<string, readonly Measurement[]>
  /** The marginals that a guard said no to less noise in. */
  readonly heldBack: readonly (readonly string[])[]
}

/**
 * Makes tables that agree, and says how good they are: from public numbers alone. Chance in that is decided by the receipt, so
 * that the same history gives the same tables, errors and warnings whenever somebody asks.
 */
export function tablesFrom(
  source: TablesSource,
  { marginals, raw }: TablesRequest,
  { book }: Pick<Session, 'book'>,
): MarginalsRelease {
  const { method, before, paid, floor } = source
  const measurements = currentMeasurements(book)
  const random = repeatable(formatReceipt(book.head))
  const consistent = consistentMarginals(book.universe, marginals, { measurements, random })
  const errors = consistent.expectedErrors(floor)
  const tables = tablesOf(marginals, { consistent, errors }, source, book)
  const expected = overall(tables, errors, raw)
  const cost = costOf(paid, book)
  return {
    dataset: book.dataset,
    method,
    noise: noiseIn(tables),
    epsilon: cost.epsilon,
    delta: cost.delta,
    neighbours: book.terms.neighbours,
    records: { ...(source.records ?? { count: consistent.total, from: 'tables' }), ...paidForRecords(source, book) },
    floor,
    raw,
    total: consistent.total,
    tables,
    expected,
    warnings: [
      ...heldBackWarnings(source.heldBack),
      ...(source.method && source.budget
        ? laplaceWarnings({ method: source.method, budget: source.budget }, marginals, book)
        : []),
      ...noiseWarnings(publishedError(expected, raw), 'are'),
    ],
    cost,
    raised: raisedBy(before, book.spent(), book),
    spent: costOf(book.spent(), book),
    left: leftFor(book, { purpose: source.budget && purposeOf(source.budget) }),
    receipt: formatReceipt(book.head),
  }
}

function tablesOf(
  marginals: TablesRequest['marginals'],
  { consistent, errors }: { readonly consistent: Consistent; readonly errors: ExpectedErrors },
  { own, heldBack }: TablesSource,
  book: Book,
): MarginalTable[] {
  return marginals.map((attributes, i) => {
    const answers = isShared(attributes, book) ? publicCount(book) : (own.get(queryKey(marginal(attributes))) ?? [])
    const measured = answers.length > 0 ? measuredFrom(answers, book) : undefined
    return {
      attributes: attributes.map((name) => attributeNamed(book.universe, name)),
      counts: consistent.counts[i]!,
      combined: consistent.combined[i]!,
      within: consistent.laws[i]!.halfWidth(confidence),
      ...(measured && { measured: measured.table }),
      ...(heldBack.includes(attributes) && { heldBack: true }),
      expected: {
        ...(measured && { measured: measured.deviation * errors.perUnit[i]! }),
        counts: errors.counts[i]!,
        zeros: errors.zeros[i]!,
      },
    }
  })
}

/** What a marginal's own answers say, and the mean absolute noise in that. */
function measuredFrom(answers: readonly Measurement[], book: Book): { table: MeasuredTable; deviation: number } {
  const { values, law, deviation } = ownAnswers(answers)
  const isGaussian = answers.every((answer) => answer.law.kind === 'gaussian')
  const table = {
    values,
    within: law.halfWidth(confidence),
    scale: answers.length === 1 ? scaleOf(answers[0]!) : (isGaussian ? Math.sqrt : laplaceScale)(law.variance),
    deviation: Math.sqrt(law.variance),
    answers: answers.map((answer) => ({ law: answer.law.kind, scale: scaleOf(answer) })),
    ...priceOf(answers, book),
  }
  return { table, deviation }
}

/** What answers cost by themselves. */
function priceOf(answers: readonly Measurement[], book: Book): TablePrice {
  const { epsilon, rho } = costOf(sumSpending(answers.map((answer) => priceOfAnswer(answer, book))), book)
  return { epsilon, ...(rho !== undefined && { rho }) }
}

function noiseIn(tables: readonly MarginalTable[]): MarginalTables['noise'] {
  const answers = tables.flatMap(({ measured }) => measured?.answers ?? []).filter(({ law }) => law !== 'none')
  return answers.length > 0 && answers.every(({ law }) => law === 'gaussian') ? 'gaussian' : 'laplace'
}

function overall(tables: readonly MarginalTable[], errors: ExpectedErrors, raw: boolean): ExpectedError {
  const mean = (of: (expected: ExpectedError) => number) =>
    tables.reduce((sum, { expected }) => sum + of(expected), 0) / tables.length
  const isMeasured = tables.every(({ measured }) => measured !== undefined)
  return {
    ...(isMeasured && { measured: mean(({ measured }) => measured!) }),
    counts: mean(({ counts }) => counts),
    zeros: mean(({ zeros }) => zeros),
    median: raw && isMeasured ? median(tables.map(({ expected }) => expected.measured!)) : errors.median,
  }
}

const publishedError = ({ measured, counts, zeros }: ExpectedError, raw: boolean) => ({
  measured: raw && measured !== undefined ? measured : counts,
  zeros,
})

/** What the number of records cost, and how noisy it is, where it was bought. */
function paidForRecords(
  { method, own: answers }: TablesSource,
  book: Book,
): Pick<RecordsUsed, 'epsilon' | 'rho' | 'scale'> {
  const own = method && answers.get(queryKey(countAll))?.[0]
  return own ? { ...priceOf([own], book), scale: scaleOf(own) } : {}
}
