import type { PastAnswers } from '../../inference/index.ts'
import { countAll, queryKey } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { currentMeasurements } from './measurements.ts'

/** Everything that was released in this epoch, as models are fitted to it. Throws if there is nothing to fit. */
export function pastAnswers(book: Book): PastAnswers {
  const all = currentMeasurements(book)
  const measurements = all.filter(({ law }) => law.kind !== 'none')
  if (measurements.length === 0) throw nothingYet(book.epochs)
  const records = publicRecords(all.filter(({ law }) => law.kind === 'none'))
  return { universe: book.universe, measurements, ...(records !== undefined && { records }) }
}

/** From COUNT(*) without noise. Where the ledger holds two that differ, it is about two tables. */
function publicRecords(exact: PastAnswers['measurements']): number | undefined {
  const counts = exact
    .filter(({ query }) => queryKey(query) === queryKey(countAll))
    .map(({ values }) => Number(values[0]))
  const [first] = counts
  if (counts.some((count) => count !== first))
    throw problem('not-supported', 'the history has two different public numbers of records')
  if (first !== undefined && first < 0) throw problem('not-supported', 'the public number of records is negative')
  return first
}

const nothingYet = (epochs: number) =>
  problem(
    'not-estimable',
    epochs > 1 ? 'nothing has been released since the data changed' : 'nothing has been released yet',
    'A model is fitted to released answers. Buy some first: `reticent ask … --epsilon E`, `reticent release tree` or `reticent release marginals`.',
  )
