import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSql } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'

const page = readFileSync(new URL('../../docs/coming-from.md', import.meta.url), 'utf8')
const members = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 120, closed: false }),
  attribute({ kind: 'values', name: 'education', values: ['a', 'b', 'c', 'd', 'e'], other: false, closed: false }),
  attribute({ kind: 'integer', name: 'hours', low: 0, high: 80, closed: false }),
  attribute({
    kind: 'date',
    name: 'joined',
    from: '2000-01-01',
    to: '2026-12-31',
    by: 'day',
    format: 'YYYY-MM-DD',
    closed: false,
  }),
])

test.each([...page.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql!))('the page shows %s', async (sql) => {
  const { columns } = await parseSql(sql, { dataset: 'members', universe: members })
  expect(columns.length).toBeGreaterThan(0)
})
