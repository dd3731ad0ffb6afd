import { expect, test } from 'vitest'
import { metered, promise } from '../../test/support/metered.ts'
import { fromNumber, rational } from '../numeric/index.ts'
import { marginal } from '../query/index.ts'
import { rhoCap, unitsToRational } from '../trusted/accounting/index.ts'
import { historyEntry } from './accounts.ts'

const privacy = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' } as const
const queries = [marginal(['age'])]
const nobody = { analyst: null, statement: null }

test('a run that is open says what it holds as one ε, in whichever currency', async () => {
  const { meter, book } = await metered({ privacy })
  await meter.openDraws({ queries, epsilon: fromNumber(0.1), ...nobody })
  const rho = unitsToRational(rhoCap(fromNumber(0.2), privacy.delta))
  await meter.openDraws({ queries, rho, ...nobody })
  await book.follow()
  expect(book.releases.map((release) => historyEntry(release, book).begun)).toEqual([
    { marginals: 1, cells: 10, epsilon: 0.1 },
    { marginals: 1, cells: 10, epsilon: 0.2 },
  ])
})

test('of what a run sold the history shows the answers', async () => {
  const { meter, book } = await metered({ privacy })
  const draws = await meter.openDraws({ queries, epsilon: fromNumber(0.5), ...nobody })
  draws.select({ candidates: [0], model: new Float64Array(10), epsilon: fromNumber(0.1) })
  draws.draw({ query: 0, scale: rational(10) })
  await draws.close()
  expect(historyEntry(book.releases[0]!, book).measurements).toMatchObject([{ cells: 10, epsilon: 0.1, scale: 10 }])
})
