import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree, compared } from './duckdb-agreement.ts'
import { sample, sampleOfGroups } from './sql-statements.ts'

test('1000 fixed random statements mean what DuckDB says of the recorded values, or are refused', async () => {
  expect(await compared(1000)).toBeGreaterThan(540)
})

test('so do 300 about totals, ranks and groups that are put together', async () => {
  expect(await compared(300, sampleOfGroups)).toBeGreaterThan(210)
})

test('and so do fresh ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => void (await agree(seed, seed % 3 === 0 ? sampleOfGroups : sample))),
    { numRuns: 300 },
  )
})
