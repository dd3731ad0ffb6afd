import { parse } from 'libpg-query'
import { describe, expect, test } from 'vitest'
import { rational } from '../../../numeric/index.ts'
import { countAll, type LinearQuery } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { duckdb } from '../duckdb/dialect.ts'
import { columnOf, postgres } from '../postgres/dialect.ts'
import type { Column, ColumnKind } from './dialect.ts'
import { codeSql, movedSql, outsideSql, valueSql } from './encoding/encode.ts'
import { countedSql, encodedSql, limitedSql } from './encoding/records.ts'
import { name } from './encoding/words.ts'
import { marginalsSql } from './remote.ts'
import { histogramSql, pushedSql } from './scan.ts'

const common = { closed: false } as const
const u = universe([
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, closed: true }),
  attribute({ kind: 'decimal', name: 'income', low: rational(0), high: rational(2), step: rational(1, 10), ...common }),
  attribute({ kind: 'values', name: 'colour', values: ['red', "o'hare"], other: true, ...common }),
  attribute({ kind: 'boolean', name: 'member', ...common }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1900-01-01',
    to: '2026-12-31',
    by: 'month',
    format: 'DD.MM.YYYY',
    ...common,
  }),
  attribute({
    kind: 'bins',
    name: 'rent',
    low: rational(0),
    high: rational(3, 2),
    width: rational(1, 10),
    edges: [],
    stated: [],
    ...common,
  }),
  attribute({
    kind: 'bins',
    name: 'size',
    low: rational(0),
    high: rational(9),
    width: null,
    edges: [0, 2, 5, 9].map((edge) => rational(edge)),
    stated: [],
    closed: true,
  }),
])
const of = (named: string, type = 'VARCHAR', kind: ColumnKind = 'text'): Column => ({ sql: name(named), type, kind })
const columns = new Map([...u.attributes.map((a) => [a.name, of(a.name)] as const), ['id', of('id')]])
const source = { records: 'records', columns }
const everyone = u.attributes.map((_, i) => i)
const unit = { kind: 'column', column: 'id', rows: 2 } as const
const rich: LinearQuery = {
  ...countAll,
  by: [{ attribute: 'member' }],
  terms: [
    { coefficient: 2, factors: { age: { kind: 'interval', from: 3, to: 9 } } },
    {
      coefficient: 1,
      factors: {
        income: { kind: 'value', slope: 1, shift: 0, power: 2, from: 0, to: 20 },
        colour: { kind: 'set', codes: [0, 2] },
      },
    },
  ],
}
/** Weights from a list, whose sum a double may not hold. */
const large = { age: { kind: 'table', values: Array.from({ length: 74 }, (_, i) => i * 2 ** 30) } } as const

describe('in DuckDB’s words', () => {
  const age = u.attributes[0]!
  test('a native integer is clamped, and nothing else', () => {
    expect(codeSql(duckdb, age, of('age', 'INTEGER', 'integer'))).toBe(
      'CAST(coalesce(CASE WHEN CAST("age" AS BIGINT) < 17 THEN 17 WHEN CAST("age" AS BIGINT) > 90 THEN 90 ELSE CAST("age" AS BIGINT) END - (17), 0) AS UTINYINT)',
    )
  })
  test('a listed text is looked up, quotes and all', () => {
    expect(valueSql(duckdb, u.attributes[2]!, of('colour'))).toBe(
      `CASE WHEN "colour" IS NOT NULL THEN coalesce((list_position(['red', 'o''hare'], "colour") - 1), 2) END`,
    )
  })
  test('given edges are searched by halves', () => {
    const x = `nullif(try_cast("size" AS DOUBLE), 'NaN'::DOUBLE)`
    expect(valueSql(duckdb, u.attributes[6]!, of('size', 'DOUBLE', 'float'))).toBe(
      `CASE WHEN ${x} IS NOT NULL THEN CASE WHEN ${x} < ('2'::DOUBLE) THEN 0 ELSE CASE WHEN ${x} < ('5'::DOUBLE) THEN 1 ELSE 2 END END END`,
    )
  })
  test('a histogram is one GROUP BY', () => {
    expect(histogramSql([0, 2], 'kept')).toBe(
      'SELECT a0, a2, CAST(count(*) AS DOUBLE PRECISION) FROM kept GROUP BY a0, a2',
    )
    expect(histogramSql([], 'kept')).toBe('SELECT CAST(count(*) AS DOUBLE PRECISION) FROM kept')
  })
  test('one measure is a WHERE, several are FILTERs', () => {
    const use = { query: 0, coefficient: 1, measure: 0 }
    const [first, second] = rich.terms.map((t) => t.factors)
    expect(pushedSql(duckdb, { by: [], measures: [first!], uses: [use] }, 'kept', u)).toBe(
      'SELECT CAST(count(*) AS DOUBLE PRECISION) FROM kept WHERE (a0 BETWEEN 3 AND 9)',
    )
    expect(pushedSql(duckdb, { by: [3], measures: [first!, second!], uses: [use] }, 'kept', u)).toBe(
      'SELECT a3, CAST(count(*) FILTER (WHERE (a0 BETWEEN 3 AND 9)) AS DOUBLE PRECISION), CAST(coalesce(sum(((1 * CAST(a1 AS BIGINT) + (0)) * (1 * CAST(a1 AS BIGINT) + (0)))) FILTER (WHERE (a1 BETWEEN 1 AND 20) AND (a2 IN (0, 2))), 0) AS DOUBLE) FROM kept GROUP BY a3',
    )
  })
})

describe('in PostgreSQL’s words', () => {
  const columns = new Map([...u.attributes.map((a) => a.name), 'id'].map((n) => [n, columnOf(n, 'text')]))
  const encoding = { dialect: postgres, universe: u, source: { records: 'records', columns } }
  const statements: { [what: string]: string } = {
    'codes of every kind': encodedSql(encoding, everyone),
    'codes of nothing': encodedSql(encoding, []),
    'codes of a native date': `SELECT ${codeSql(postgres, u.attributes[4]!, columnOf('born', 'date'))}`,
    'the choice among a person’s rows': limitedSql(encoding, unit, "k'ey"),
    'what is moved': `SELECT ${u.attributes.map((a) => movedSql(postgres, a, of(a.name))).join(', ')} FROM records`,
    'what is clamped': `SELECT ${u.attributes.map((a) => outsideSql(postgres, a, of(a.name))).join(', ')} FROM records`,
    'counts of several sets': marginalsSql(
      { attributes: [0, 2, 3], sets: [[0, 2], [3], []] },
      countedSql(encoding, [0, 2, 3]),
      u,
    ),
    'a histogram': histogramSql(everyone, `(${encodedSql(encoding, everyone)}) AS codes`),
    'sums of products': pushedSql(
      postgres,
      { by: [3], measures: rich.terms.map((t) => t.factors), uses: [] },
      'kept',
      u,
    ),
    'a sum of large products': pushedSql(postgres, { by: [], measures: [large], uses: [] }, 'kept', u),
  }
  test.each(Object.entries(statements))('PostgreSQL’s own parser reads %s', async (_, sql) => {
    expect((await parse(sql)).stmts).toHaveLength(1)
  })
  test('a text is counted as it is, and then looked up', () => {
    expect(countedSql(encoding, [3]).replaceAll(/\s+/g, ' ')).toMatch(
      /^SELECT CAST\(coalesce\(CASE .*lower\(v3\).* AS a3, n FROM \( SELECT v3, count\(\*\) AS n FROM \(SELECT \(CAST\("member" AS text\) COLLATE "C"\) AS v3 FROM records\) AS read GROUP BY v3 \) AS groups$/,
    )
  })
  test('a cell of several sets is one number', () => {
    expect(marginalsSql({ attributes: [0, 3], sets: [[0], [3]] }, 'SELECT', u)).toBe(
      'SELECT CASE grouping(a0, a3) WHEN 1 THEN 0 + CAST(a0 AS BIGINT) * 1 WHEN 2 THEN 74 + CAST(a3 AS BIGINT) * 1 END, CAST(coalesce(sum(n), 0) AS DOUBLE PRECISION) FROM (SELECT) AS counted GROUP BY GROUPING SETS ((a0), (a3))',
    )
  })
  test('and would not read DuckDB’s', async () => {
    await expect(parse(encodedSql({ dialect: duckdb, universe: u, source }, everyone))).rejects.toThrow('syntax error')
  })
})
