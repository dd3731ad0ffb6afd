import { expect, test } from 'vitest'
import { laplace, metered, promise } from '../../test/support/metered.ts'
import { fromNumber, rational } from '../numeric/index.ts'
import { marginal } from '../query/index.ts'
import { rhoCap, unitsToRational } from '../trusted/accounting/index.ts'
import { historyOf } from './accounts.ts'

const privacy = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' } as const
const queries = [marginal(['age'])]
const nobody = { analyst: null, statement: null }

test('a run that is open says what it holds as one ε, in whichever currency', async () => {
  const { meter, book } = await metered({ privacy })
  await meter.openDraws({ queries, epsilon: fromNumber(0.1), ...nobody })
  const rho = unitsToRational(rhoCap(fromNumber(0.2), privacy.delta))
  await meter.openDraws({ queries, rho, ...nobody })
  await book.follow()
  expect(historyOf(book).map(({ begun }) => begun)).toEqual([
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
  expect(historyOf(book)[0]!.measurements).toMatchObject([{ cells: 10, epsilon: 0.1, scale: 10 }])
})

test('that an older copy was restored stands among the purchases, with what it was charged', async () => {
  const { buy, ledger, book } = await metered()
  await buy(queries[0]!, laplace(0.1))
  await ledger.append({ kind: 'restore', lost: { seq: 9, hash: 'a'.repeat(64) }, epsilon: rational(1, 4), rho: null })
  await buy(queries[0]!, laplace(0.2))
  const shown = historyOf(book).map(({ number, measurements, restored }) => [
    number,
    measurements.length,
    restored?.epsilon,
  ])
  expect(shown).toEqual([
    [2, 1, undefined],
    [4, 0, 0.25],
    [5, 1, undefined],
  ])
})
