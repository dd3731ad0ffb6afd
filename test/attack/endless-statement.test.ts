import { expect, test } from 'vitest'
import { maxTerms, parseSql } from '../../src/query/index.ts'
import { ReticentError, universe } from '../../src/schema/index.ts'
import { integers } from '../support/estimates.ts'

const over = universe(Array.from({ length: 20 }, (_, i) => integers(`a${i}`, 50)))
const parse = (sql: string) => parseSql(sql, { dataset: 'people', universe: over })

/** `(a0 = 1 OR a1 = 1) AND (a2 = 1 OR a3 = 1) AND …` doubles with every pair. */
const pairs = (count: number) =>
  Array.from({ length: count }, (_, i) => `(a${2 * i} = 1 OR a${2 * i + 1} = 1)`).join(' AND ')

test('the terms of all parts of a statement are limited together', async () => {
  const terms = (await parse(`SELECT COUNT(*) FROM people WHERE ${pairs(8)}`)).parts[0]!.terms.length
  expect(terms).toBe(256)
  const refused = parse(`SELECT STDDEV(a0) FROM people WHERE ${pairs(8)}`)
  await expect(refused).rejects.toMatchObject({ code: 'too-many-terms', facts: { limit: maxTerms } })
  await expect(refused).rejects.toThrow(/at most 512 are allowed/)
})

const filled = (piece: (i: number) => string, separator: string) => {
  const pieces: string[] = []
  for (let length = 0; length < 15_500; length += pieces.at(-1)!.length + separator.length)
    pieces.push(piece(pieces.length))
  return pieces.join(separator)
}
const attribute = (i: number, step: number) => `a${(i * step) % 20}`
const value = (i: number) => (i * i * 7) % 50

// Each of these is as long as a statement may be.
test.each([
  ['ANDs of ORs', `WHERE ${filled((i) => `(${attribute(i, 3)} <> ${value(i)} OR ${attribute(i, 7)} = 3)`, ' AND ')}`],
  ['ORs of ANDs', `WHERE ${filled((i) => `(${attribute(i, 3)} <> ${value(i)} AND ${attribute(i, 7)} < 9)`, ' OR ')}`],
  ['NOT', `WHERE NOT (${filled((i) => `(${attribute(i, 3)} > ${value(i)} OR ${attribute(i, 7)} = 3)`, ' AND ')})`],
  ['a long list', `WHERE a0 IN (${filled((i) => `${value(i)}`, ',')})`],
  ['parentheses', `WHERE ${'('.repeat(3000)}a0 = 1${')'.repeat(3000)}`],
  ['NOTs in NOTs', `WHERE ${'NOT ('.repeat(2500)}a0 = 1${')'.repeat(2500)}`],
  ['powers of powers', `WHERE a0 < 1${' * 1e9999'.repeat(1500)}`],
  ['many groups', `GROUP BY ${filled((i) => attribute(i, 1), ', ')}`],
  ['a wide expression', `GROUP BY a0${' + 1'.repeat(3500)}`],
])('%s are read or refused', async (_, clause) => {
  const statement = `SELECT COUNT(*) FROM people ${clause}`
  expect(statement.length).toBeLessThan(16_384)
  await parse(statement).catch((error) => expect(error).toBeInstanceOf(ReticentError))
})

test('a chain of cases is read or refused', async () => {
  const chain = filled((i) => `WHEN ${attribute(i, 3)} = ${value(i)} THEN ${i}`, ' ')
  await expect(parse(`SELECT SUM(CASE ${chain} ELSE 0 END) FROM people`)).rejects.toBeInstanceOf(ReticentError)
})

// Each level doubles what the one before it stands for: forty of them are 2^40 times as much.
const forty = Array.from({ length: 40 }, (_, i) => i)
const names = forty.map((i) => `c${i + 1} AS (SELECT x + x AS x FROM c${i})`)
const keys = forty.map((i) => `c${i + 1} AS (SELECT a1, x + x AS x FROM c${i})`)

test.each([
  ['names', `WITH c0 AS (SELECT a0 AS x FROM people), ${names} SELECT COUNT(*) FROM c40 WHERE x > 3`],
  ['names of groups', `WITH c0 AS (SELECT a1, COUNT(*) AS x FROM people GROUP BY a1), ${keys} SELECT a1, x FROM c40`],
  [
    'rows',
    `SELECT COUNT(*) FROM people WHERE ${forty.reduce((x) => `((${x}), a1) IN ((true, 1), (false, 2))`, 'a0 = 1')}`,
  ],
])('%s that stand for each other are refused before they are written out', async (_, statement) => {
  expect(statement.length).toBeLessThan(16_384)
  const refused = parse(statement)
  await expect(refused).rejects.toMatchObject({ code: 'sql-unsupported' })
  await expect(refused).rejects.toThrow(/too long once its subqueries and lists are expanded/)
})

// DuckDB makes all of these for two thousand records at once: 10 GB, whatever its limit is.
test.each([
  ['made one by one', `greatest(${Array(300).fill('length(rpad(a0::text, 1000))')})`],
  ['joined', `length(concat(${Array(49).fill(`concat(${Array(15).fill('rpad(a0::text,999)')})`)}))`],
  ['joined by names', 'length(x)'],
])('texts that are %s are refused before they are made', async (how, expression) => {
  const joined = forty.slice(0, 8).map((i) => `c${i + 1} AS (SELECT x || x AS x FROM c${i})`)
  const from = how.endsWith('names') ? `WITH c0 AS (SELECT rpad(a0::text, 999) AS x FROM people), ${joined}` : ''
  const statement = `${from} SELECT COUNT(*) FROM ${from ? 'c8' : 'people'} WHERE ${expression} > 3`
  expect(statement.length).toBeLessThan(16_384)
  const refused = parse(statement)
  await expect(refused).rejects.toMatchObject({ code: 'sql-unsupported' })
  await expect(refused).rejects.toThrow(/this produces texts that are too long/)
})

test('texts of a usual length are made', async () => {
  const expression = "lpad(replace(replace(a0::text, '1', 'one'), '2', 'two') || '-' || a1, 20, '.')"
  const { axes } = await parse(`SELECT ${expression}, COUNT(*) FROM people GROUP BY 1`)
  expect(axes[0]!.labels).toContain('............onetwo-7')
})

test('sets of keys are refused where all of them together have too many groups', async () => {
  const sets = (count: number) => `GROUPING SETS (${Array(count).fill('(a0, a1, a2)')})`
  const refused = parse(`SELECT COUNT(*) FROM people GROUP BY ${sets(40)}`)
  await expect(refused).rejects.toMatchObject({ code: 'sql-unsupported', facts: { groups: 5_000_000 } })
  const { rows } = await parse('SELECT COUNT(*) FROM people GROUP BY ROLLUP (a0, a1)')
  expect(rows).toHaveLength(2500 + 50 + 1)
})
