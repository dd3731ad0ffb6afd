import { expect, test } from 'vitest'
import { census } from '../../../../test/support/census.ts'
import { parseSql } from '../parse.ts'

const read = (sql: string) => parseSql(sql, { dataset: 'census', universe: census })
const meaning = async (sql: string) => {
  const { text: _, ...rest } = await read(sql)
  return rest
}

test.each([
  [
    'WITH adults AS (SELECT * FROM census WHERE age >= 18) SELECT COUNT(*) FROM adults',
    'SELECT COUNT(*) FROM census WHERE age >= 18',
  ],
  [
    "SELECT AVG(a) FROM (SELECT age AS a FROM census c WHERE c.sex = 'Male') AS men",
    "SELECT AVG(age) FROM census WHERE sex = 'Male'",
  ],
  [
    'WITH a AS (SELECT age / 2 AS half, sex FROM census), b (x, s) AS (SELECT half * 2, sex FROM a WHERE half > 10) SELECT s, SUM(x) FROM b WHERE x < 50 GROUP BY s',
    'SELECT sex AS s, SUM(age / 2 * 2) FROM census WHERE age / 2 > 10 AND age / 2 * 2 < 50 GROUP BY s',
  ],
  [
    'SELECT t.age, COUNT(*) FROM (SELECT * FROM census) t GROUP BY t.age ORDER BY age',
    'SELECT age, COUNT(*) FROM census GROUP BY age ORDER BY age',
  ],
  [
    'SELECT age / 10 AS age, COUNT(*) AS n FROM (SELECT * FROM census) t GROUP BY 1 HAVING COUNT(*) > 3 ORDER BY n',
    'SELECT age / 10 AS age, COUNT(*) AS n FROM census GROUP BY 1 HAVING COUNT(*) > 3 ORDER BY n',
  ],
  ['SELECT count_if(age >= 18) FROM census', 'SELECT COUNT(*) FILTER (WHERE age >= 18) AS count FROM census'],
  [
    'SELECT sex, COUNT(*) FROM census GROUP BY ALL HAVING COUNT(*) > 1',
    'SELECT sex, COUNT(*) FROM census GROUP BY sex HAVING COUNT(*) > 1',
  ],
  [
    "SELECT COUNT(*) FROM census WHERE born < DATE '2018-01-01' - INTERVAL 18 YEAR",
    "SELECT COUNT(*) FROM census WHERE born < '2000-01-01'",
  ],
])('%s is %s', async (sql, plain) => {
  const [ours, theirs] = [await meaning(sql), await meaning(plain)]
  const unnamed = (of: typeof ours) => ({ ...of, columns: of.columns.map((column) => ({ ...column, name: '' })) })
  expect(unnamed(ours)).toEqual(unnamed(theirs))
})

test('columns keep the names that they had inside', async () => {
  const { columns } = await read('SELECT half, COUNT(*) FROM (SELECT age / 2 AS half FROM census) t GROUP BY half')
  expect(columns.map(({ name }) => name)).toEqual(['half', 'count'])
})

test('SELECT DISTINCT counts its keys, and says why', async () => {
  const { columns, notes } = await read('SELECT DISTINCT sex FROM census')
  expect(columns.map(({ name }) => name)).toEqual(['sex', 'count'])
  expect(notes).toEqual([expect.stringContaining('COUNT(*) is added')])
})

test.each([
  ['SELECT COUNT(*) FROM (SELECT age FROM census) t WHERE sex = 1', 'no column "sex"'],
  ['SELECT COUNT(*) FROM (SELECT age FROM census) t WHERE census.age = 20', 'no table "census"'],
  ['SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM census) t', 'that groups, sorts or limits'],
  ['WITH a AS (SELECT age FROM b), b AS (SELECT age FROM census) SELECT COUNT(*) FROM a', 'no table "b"'],
  ['SELECT COUNT(*) FROM (SELECT age FROM census UNION SELECT age FROM census) t', 'UNION'],
])('%s: %s', async (sql, words) => {
  await expect(read(sql)).rejects.toThrow(words)
})
