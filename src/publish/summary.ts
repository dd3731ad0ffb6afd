import type { MarginalTables, RecordsUsed } from '../release/index.ts'
import { numberColumns } from './columns.ts'
import { words } from './report/html.ts'

/** Everything about a release but its cells: what release.json holds. */
export function summaryOf(release: MarginalTables, files: readonly string[]) {
  const { tables, expected, ...rest } = release
  return {
    ...rest,
    expected: { ...expected, how: howExpected },
    agreement: agreementOf(release),
    columns: Object.fromEntries(numberColumns(tables[0]!, release).map(({ name, about }) => [name, about])),
    tables: tables.map(({ attributes, counts, within, measured, heldBack, expected }, i) => ({
      file: files[i]!,
      attributes: attributes.map(({ name }) => name),
      cells: counts.length,
      ...(measured && { scale: measured.scale, answers: measured.answers, epsilon: measured.epsilon }),
      ...(heldBack && { heldBack }),
      within: release.raw && measured ? measured.within : within,
      expected,
    })),
  }
}
export type Summary = ReturnType<typeof summaryOf>

export const howExpected =
  'Mean of |released - true| / max(floor, true) over cells, then over tables; by bootstrap from the released values: around tables that may lie behind them, so far off would the same noise, drawn again, put the tables. Where noise hides the counts it is a rough guess, rather too high than too low.'

const recordsFrom: { readonly [F in RecordsUsed['from']]: string } = {
  public: 'The number of records is public.',
  history: 'The number of records was taken from what had been released before.',
  bought: 'The number of records was bought with a share of ε.',
  tables: 'The number of records was not needed; it is what the tables tell.',
}

/** Where the number of records is from; and, where it was noisy, that the tables know better. */
function recordsWords({ raw, total, records: { count, from } }: MarginalTables): string {
  const same = raw || from === 'tables' || Math.round(count) === total
  return same
    ? recordsFrom[from]
    : `${recordsFrom[from]} Scales and floor were reckoned with ${words(Math.round(count))}; the tables, which tell it better, add up to ${words(total)}.`
}

/** What agrees with what, in words. */
export function agreementOf(release: MarginalTables): string[] {
  const { raw, total } = release
  if (raw)
    return [
      'Measured values carry independent noise: tables agree with each other, and with any total, only up to it.',
      recordsWords(release),
    ]
  return [
    `Counts: every table adds up to ${words(total)}. Added up to a single attribute, all tables have the same counts; sums for pairs of attributes that several tables have in common need not agree.`,
    'Combined: from all whole tables released so far and the number of records, not from answers to other questions; sums that two tables have in common are equal; they are unbiased, so some are negative.',
    'Measured: carry independent noise, and agree with nothing but by chance.',
    recordsWords(release),
  ]
}
