import { type Cost, costOf, leftFor, priceOfAnswer, raisedBy, scaleOf } from '../../answer/index.ts'
import { laplaceScale } from '../../numeric/index.ts'
import { countAll, type Measurement, marginal, queryKey } from '../../query/index.ts'
import {
  confidence,
  consistentMarginals,
  type ExpectedError,
  type MarginalTable,
  type MarginalTables,
  ownAnswers,
  type RecordsUsed,
} from '../../release/index.ts'
import { attributeNamed } from '../../schema/index.ts'
import { type Spending, unitsToNumber } from '../../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../../trusted/ledger/index.ts'
import { isShared } from './making.ts'
import type { MarginalsChoice } from './options.ts'

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
/** What was bought, or found in the history. */
export interface Made extends Pick<MarginalTables, 'method' | 'floor'> {
  /** What was reckoned with; undefined where nothing needed it. */
  readonly records?: Pick<RecordsUsed, 'count' | 'from'>
  readonly before: Spending
  readonly bought: readonly Measurement[]
  readonly paid: Spending
  /** The answers that count as a marginal's own. */
  readonly own: ReadonlyMap<string, readonly Measurement[]>
  /** The marginals that a guard said no to less noise in. */
  readonly heldBack: readonly (readonly string[])[]
}

/** Makes tables of them that agree, and says what they are worth: from public numbers alone. */
export function published(
  { marginals, raw }: Pick<MarginalsChoice, 'marginals' | 'raw'>,
  { book, random }: { readonly book: Book; readonly random: () => number },
  made: Made,
): MarginalsRelease {
  const { method, before, bought, paid, own, floor } = made
  const consistent = consistentMarginals(book.universe, marginals, { measurements: counting(book), random })
  const errors = consistent.expectedErrors(floor)
  const tables = marginals.map((attributes, i): MarginalTable => {
    const answers = isShared(attributes, book) ? publicCount(book) : (own.get(queryKey(marginal(attributes))) ?? [])
    const alone = answers.length > 0 && ownAnswers(answers)
    const measured = alone && {
      values: alone.values,
      within: alone.law.halfWidth(confidence),
      scale: scaleTogether(answers, alone.law.variance),
      answers: answers.map((answer) => ({ law: answer.law.kind, scale: scaleOf(answer) })),
      epsilon: unitsToNumber(answers.reduce((sum, answer) => sum + priceOfAnswer(answer, book).epsilon, 0)),
    }
    return {
      attributes: attributes.map((name) => attributeNamed(book.universe, name)),
      counts: consistent.counts[i]!,
      combined: consistent.combined[i]!,
      within: consistent.laws[i]!.halfWidth(confidence),
      ...(measured && { measured }),
      ...(made.heldBack.includes(attributes) && { heldBack: true }),
      expected: {
        ...(alone && { measured: alone.deviation * errors.perUnit[i]! }),
        counts: errors.counts[i]!,
        zeros: errors.zeros[i]!,
      },
    }
  })
  const expected = overall(tables)
  const cost = costOf(paid, book)
  return {
    dataset: book.dataset,
    method,
    epsilon: cost.epsilon,
    neighbours: book.terms.neighbours,
    records: { ...(made.records ?? { count: consistent.total, from: 'tables' }), ...paidForRecords(bought, book) },
    floor,
    raw,
    total: consistent.total,
    tables,
    expected,
    warnings: [...heldBackWords(made.heldBack), ...mostlyNoise(publishedError(expected, raw), 'are')],
    cost,
    raised: raisedBy(before, book.spent(), book),
    spent: costOf(book.spent(), book),
    left: leftFor(book, { purpose: 'marginals' }),
    receipt: formatReceipt(book.head),
  }
}

const scaleTogether = (answers: readonly Measurement[], variance: number): number =>
  answers.length === 1 && answers[0]!.law.kind === 'laplace' ? scaleOf(answers[0]!) : laplaceScale(variance)

function overall(tables: readonly MarginalTable[]): ExpectedError {
  const mean = (of: (expected: ExpectedError) => number) =>
    tables.reduce((sum, { expected }) => sum + of(expected), 0) / tables.length
  const all = tables.every(({ measured }) => measured !== undefined)
  return {
    ...(all && { measured: mean(({ measured }) => measured!) }),
    counts: mean(({ counts }) => counts),
    zeros: mean(({ zeros }) => zeros),
  }
}

const publishedError = ({ measured, counts, zeros }: ExpectedError, raw: boolean) => ({
  measured: raw && measured !== undefined ? measured : counts,
  zeros,
})

/** A warning where tables of zeros would be as good. */
export function mostlyNoise(
  { measured, zeros }: { readonly measured: number; readonly zeros?: number },
  tense: 'are' | 'would be',
): string[] {
  if (zeros === undefined || measured <= zeros) return []
  const [said, nothing] = [measured, zeros].map((value) => Number(value.toPrecision(3)))
  return [
    `These tables ${tense} mostly noise: their overall error is expected to be ${said}, and tables of zeros would have ${nothing}. Give more ε, or ask for fewer or smaller marginals.`,
  ]
}

/** So many tables are named; release.json has all of them. */
const mostNamed = 10

export function heldBackWords(heldBack: Made['heldBack']): string[] {
  if (heldBack.length === 0) return []
  const named = heldBack.slice(0, mostNamed).map((attributes) => attributes.join(' × '))
  const others = heldBack.length - named.length
  const all = others > 0 ? [...named, `${others} more (heldBack in release.json)`] : named
  return [
    `A guard of the policy held back ${all.join(', ')}: with less noise more would be told than it allows. What that would have cost went to other tables, or is not spent.`,
  ]
}

/** What the number of records cost, and how noisy it is, where it was bought. */
function paidForRecords(bought: readonly Measurement[], book: Book): Pick<RecordsUsed, 'epsilon' | 'scale'> {
  const own = bought.find(({ query }) => queryKey(query) === queryKey(countAll))
  return own ? { epsilon: unitsToNumber(priceOfAnswer(own, book).epsilon), scale: scaleOf(own) } : {}
}

/** The number of records, without noise. */
const publicCount = (book: Book): Measurement[] =>
  counting(book)
    .filter(({ query, law }) => law.kind === 'none' && queryKey(query) === queryKey(countAll))
    .slice(0, 1)

/** Everything in the history that counts: what was refined has been replaced. */
export function counting(book: Book): Measurement[] {
  const recorded = book.releases.filter(({ state }) => state === 'recorded')
  const replaced = new Set(recorded.map(({ refines }) => refines))
  return recorded.flatMap(({ measurements }) => measurements.filter(({ id }) => !replaced.has(id)))
}

export const byQuery = (measurements: readonly Measurement[]) =>
  Map.groupBy(measurements, ({ query }) => queryKey(query))
