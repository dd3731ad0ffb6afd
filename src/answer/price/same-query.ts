import { keptKey, type LinearQuery, type Measurement, type NoiseLaw, noiseSpread } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Known } from '../known/known.ts'
import { knownAlone } from '../known/known-part.ts'
import { ReleaseIndex } from '../release-index.ts'
import { noiseKind } from './fresh.ts'

/** What the least noisy measurement of the very same query says by itself. */
export function ownAnswer(query: LinearQuery, book: Book): readonly Known[] | undefined {
  const measured = leastNoisy(query, book, noiseKind(book))
  return measured && knownAlone(measured)
}

/** The least noisy measurement of the very same query that can be refined. */
export function leastNoisy(query: LinearQuery, book: Book, kind: NoiseLaw['kind']): Measurement | undefined {
  const text = keptKey(query)
  const same = ReleaseIndex.of(book)
    .about([text])
    .flatMap(({ measurements }) => measurements)
    .filter((m) => m.law.kind === kind && !book.isRefined(m.id) && keptKey(m.query) === text)
  return same.reduce<Measurement | undefined>(
    (best, m) => (!best || noiseSpread(m.law) < noiseSpread(best.law) ? m : best),
    undefined,
  )
}
