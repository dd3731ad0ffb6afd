import { type Cost, costOf, leftFor, priceOfAnswer, raisedBy, type Session, scaleOf } from '../../answer/index.ts'
import { laplaceScale } from '../../numeric/index.ts'
import { countAll, type Measurement, marginal, queryKey } from '../../query/index.ts'
import {
  type Consistent,
  confidence,
  consistentMarginals,
  type ExpectedError,
  type MarginalTable,
  type MarginalTables,
  type MeasuredTable,
  ownAnswers,
  type RecordsUsed,
} from '../../release/index.ts'
import { attributeNamed } from '../../schema/index.ts'
import { type Spending, unitsToNumber } from '../../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../../trusted/ledger/index.ts'
import { currentMeasurements, publicCount } from './history.ts'
import type { TablesRequest } from './options.ts'
import { isShared } from './pricing.ts'
import { heldBackWarnings, noiseWarnings } from './warnings.ts'

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
  /** The number of records that was used; undefined where nothing needed it. */
  readonly records?: Pick<RecordsUsed, 'count' | 'from'>
  /** What the dataset had spent before. */
  readonly before: Spending
  readonly paid: Spending
  /** The answers that count as a marginal's own, by query. */
  readonly own: ReadonlyMap<string, readonly Measurement[]>
  /** The marginals that a guard said no to less noise in. */
  readonly heldBack: readonly (readonly string[])[]
}

/** Makes tables that agree, and says how good they are: from public numbers alone. */
export function tablesFrom(
  source: TablesSource,
  { marginals, raw }: TablesRequest,
  { book, random }: Pick<Session, 'book' | 'random'>,
): MarginalsRelease {
  const { method, before, paid, floor } = source
  const consistent = consistentMarginals(book.universe, marginals, { measurements: currentMeasurements(book), random })
  const tables = tablesOf(marginals, consistent, source, book)
  const expected = overall(tables)
  const cost = costOf(paid, book)
  return {
    dataset: book.dataset,
    method,
    epsilon: cost.epsilon,
    neighbours: book.terms.neighbours,
    records: { ...(source.records ?? { count: consistent.total, from: 'tables' }), ...paidForRecords(source, book) },
    floor,
    raw,
    total: consistent.total,
    tables,
    expected,
    warnings: [...heldBackWarnings(source.heldBack), ...noiseWarnings(publishedError(expected, raw), 'are')],
    cost,
    raised: raisedBy(before, book.spent(), book),
    spent: costOf(book.spent(), book),
    left: leftFor(book, { purpose: 'marginals' }),
    receipt: formatReceipt(book.head),
  }
}

function tablesOf(
  marginals: TablesRequest['marginals'],
  consistent: Consistent,
  { own, heldBack, floor }: TablesSource,
  book: Book,
): MarginalTable[] {
  const errors = consistent.expectedErrors(floor)
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
  const isOne = answers.length === 1 && answers[0]!.law.kind === 'laplace'
  const table = {
    values,
    within: law.halfWidth(confidence),
    scale: isOne ? scaleOf(answers[0]!) : laplaceScale(law.variance),
    answers: answers.map((answer) => ({ law: answer.law.kind, scale: scaleOf(answer) })),
    epsilon: unitsToNumber(answers.reduce((sum, answer) => sum + priceOfAnswer(answer, book).epsilon, 0)),
  }
  return { table, deviation }
}

function overall(tables: readonly MarginalTable[]): ExpectedError {
  const mean = (of: (expected: ExpectedError) => number) =>
    tables.reduce((sum, { expected }) => sum + of(expected), 0) / tables.length
  const isMeasured = tables.every(({ measured }) => measured !== undefined)
  return {
    ...(isMeasured && { measured: mean(({ measured }) => measured!) }),
    counts: mean(({ counts }) => counts),
    zeros: mean(({ zeros }) => zeros),
  }
}

const publishedError = ({ measured, counts, zeros }: ExpectedError, raw: boolean) => ({
  measured: raw && measured !== undefined ? measured : counts,
  zeros,
})

/** What the number of records cost, and how noisy it is, where it was bought. */
function paidForRecords({ method, own: answers }: TablesSource, book: Book): Pick<RecordsUsed, 'epsilon' | 'scale'> {
  const own = method && answers.get(queryKey(countAll))?.[0]
  return own ? { epsilon: unitsToNumber(priceOfAnswer(own, book).epsilon), scale: scaleOf(own) } : {}
}
