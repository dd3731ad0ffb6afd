import { expect, test } from 'vitest'
import { attribute, universe } from '../../../schema/index.ts'
import type { Session } from './database.ts'
import { type Counted, remoteMarginals } from './remote.ts'

const u = universe(
  Array.from({ length: 20 }, (_, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: 2, closed: true })),
)
const scans = u.attributes.map((_, i) => ({ attributes: [i], sets: [[i]] }))

/** The statements for twenty scans, of a database in which every record has the code 1; the counts must be right. */
async function statementsOf(counted: Counted): Promise<string[]> {
  const statements: string[] = []
  const rows: Session['rows'] = async (sql, visit) => {
    statements.push(sql)
    const scansInIt = sql.split(' UNION ALL ').length
    for (let scan = 0; scan < scansInIt; scan++) visit((column) => [2 * scan + 1, 5][column])
  }
  const counts: number[][] = []
  for await (const histograms of remoteMarginals({ rows } as Session, u, counted, scans))
    for (const histogram of histograms) counts.push([...histogram.counts])
  expect(counts).toEqual(scans.map(() => [0, 5]))
  return statements
}
const sizes = (statements: readonly string[]) => statements.map((sql) => sql.split(' UNION ALL ').length)

test('scans that are dear are asked one by one, cheap ones eight at a time', async () => {
  expect(sizes(await statementsOf({ of: () => 'SELECT' }))).toEqual(new Array(20).fill(1))
  expect(sizes(await statementsOf({ isCheap: true, of: () => 'SELECT' }))).toEqual([8, 8, 4])
})

test('codes that are made once are read by all scans of one statement', async () => {
  const [statement, ...others] = await statementsOf({ before: 'WITH chosen AS (…) ', of: () => 'chosen' })
  expect(statement).toMatch(/^WITH chosen/)
  expect(others).toEqual([])
})

test('no statement grows longer than servers take', async () => {
  const statements = await statementsOf({ isCheap: true, of: () => 'x'.repeat(100_000) })
  expect(sizes(statements)).toEqual(new Array(10).fill(2))
})
