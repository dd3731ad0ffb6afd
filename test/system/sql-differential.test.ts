import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree, compared } from './duckdb-agreement.ts'
import { sample, sampleOfGroups } from './sql-statements.ts'

test('120 fixed random statements mean what DuckDB says of the recorded values, or are refused', async () => {
  expect(await compared(120)).toBeGreaterThan(60)
})

test('so do 40 about totals, ranks and groups that are put together', async () => {
  expect(await compared(40, sampleOfGroups)).toBeGreaterThan(25)
})

test('and so do fresh ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => void (await agree(seed, seed % 3 === 0 ? sampleOfGroups : sample))),
    { numRuns: 20 },
  )
})
