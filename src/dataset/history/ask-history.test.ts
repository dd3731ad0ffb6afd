import { expect, test } from 'vitest'
import { census } from '../../../test/support/census.ts'
import type { HistoryModel } from '../../inference/index.ts'
import { parseSql } from '../../query/index.ts'
import { askHistoryModel } from './ask-history.ts'

/** Says 10 about everything, give or take this much. */
const vague = (error: number): HistoryModel => ({
  kind: 'kernel',
  parameters: {},
  warnings: [],
  estimates: () => [{ estimate: 10, error }],
  covariances: () => Float64Array.of(0),
})

const ask = async (what: string, error: number) =>
  askHistoryModel(await parseSql(`SELECT ${what} FROM census`, { dataset: 'census', universe: census }), vague(error))

test('a share is off by no more than there is room for', async () => {
  const share = "AVG(CASE WHEN state = 'NY' THEN 1.0 ELSE 0 END)"
  // 10 of 10: with errors of 1 each, √2 / 10; with errors of 100 anything, but not below 0.
  expect(await ask(share, 1)).toMatchObject({ estimate: 1, error: expect.closeTo(Math.SQRT2 / 10, 6) })
  expect(await ask(share, 100)).toMatchObject({ estimate: 1, error: 1 })
})

// Slopes are taken by small steps, good to ten digits.
test('a count has no bounds to keep its error in', async () => {
  expect(await ask('COUNT(*)', 100)).toMatchObject({ estimate: 10, error: expect.closeTo(100, 6) })
})
