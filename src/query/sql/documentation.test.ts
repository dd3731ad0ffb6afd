import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { census } from '../../../test/support/census.ts'
import { aggregateNames } from './expression/functions.ts'
import { parseSql } from './parse.ts'
import { valueFunctions } from './translation/functions.ts'
import { maxTerms } from './work.ts'

const page = readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8')
const read = (sql: string) => parseSql(sql, { dataset: 'census', universe: census })

test.each([...page.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql!))('the page shows %s', async (sql) => {
  expect((await read(sql)).columns.length).toBeGreaterThan(0)
})

test('the page names every function and the limit', () => {
  const names = [...aggregateNames, ...Object.keys(valueFunctions)]
  expect(names.filter((name) => !page.toLowerCase().includes(name))).toEqual([])
  expect(page).toContain(maxTerms.toLocaleString('en'))
})

test('the page shows an error as it is', async () => {
  const [, sql] = /^ {4}(SELECT .*agee.*)$/m.exec(page)!
  const error = await read(sql!).catch((e) => e)
  const shown = [error.message, error.detail, error.hint].join('\n').replace(/^/gm, '    ')
  expect(page).toContain(shown)
})
