import { countAll, type Measurement, queryKey } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

/** All measurements in the history that still count: those that were refined have been replaced. */
export function currentMeasurements(book: Book): Measurement[] {
  const recorded = book.releases.filter(({ state }) => state === 'recorded')
  const replaced = new Set(recorded.map(({ refines }) => refines))
  return recorded.flatMap(({ measurements }) => measurements.filter(({ id }) => !replaced.has(id)))
}

/** The number of records without noise, where it has been read. */
export const publicCount = (book: Book): Measurement[] =>
  currentMeasurements(book)
    .filter(({ query, law }) => law.kind === 'none' && queryKey(query) === queryKey(countAll))
    .slice(0, 1)

/** By the key of their query. */
export const byQuery = (measurements: readonly Measurement[]): ReadonlyMap<string, readonly Measurement[]> =>
  Map.groupBy(measurements, ({ query }) => queryKey(query))
