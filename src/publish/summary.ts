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
      ...(measured && {
        scale: measured.scale,
        deviation: measured.deviation,
        answers: measured.answers,
        epsilon: measured.epsilon,
        ...(measured.rho !== undefined && { rho: measured.rho }),
      }),
      ...(heldBack && { heldBack }),
      within: release.raw && measured ? measured.within : within,
      expected,
    })),
  }
}
export type Summary = ReturnType<typeof summaryOf>

export const howExpected =
  'Mean of |released - true| / max(floor, true) over cells, then over tables. Estimated by bootstrap, from the released values alone: we redraw the noise around plausible tables and measure the error. If noise dominates the counts this is a rough guess.'

const recordsFrom: { readonly [F in RecordsUsed['from']]: string } = {
  public: 'The number of records is public.',
  history: 'The number of records was known from earlier releases.',
  bought: 'The number of records was bought with a share of the price.',
  tables: 'The number of records was not needed; the one given is the total of the tables.',
}

/** Where the number of records is from; and, where it was noisy, the better estimate of the tables. */
function recordsWords({ raw, total, noise, records: { count, from } }: MarginalTables): string {
  const same = raw || from === 'tables' || Math.round(count) === total
  return same
    ? recordsFrom[from]
    : `${recordsFrom[from]} ${noise === 'gaussian' ? 'The floor was' : 'Scales and floor were'} computed from ${words(Math.round(count))}; the tables estimate it better, and add up to ${words(total)}.`
}

/** What agrees with what, in words. */
export function agreementOf(release: MarginalTables): string[] {
  const { raw, total } = release
  if (raw)
    return [
      'Measured values carry independent noise: tables agree with each other, and with any total, only up to that noise.',
      recordsWords(release),
    ]
  return [
    `Counts: every table adds up to ${words(total)}. The count of a single value is the same in all tables; sums over pairs of attributes that several tables share need not agree.`,
    'Combined estimates use all whole tables released so far and the number of records, not answers to other questions. Sums that two tables share are equal. They are not clipped at 0, so some are negative.',
    'Measured values carry independent noise: tables do not agree.',
    recordsWords(release),
  ]
}
