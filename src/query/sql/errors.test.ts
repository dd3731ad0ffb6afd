import { expect, test } from 'vitest'
import { census } from '../../../test/support/census.ts'
import { attribute, ReticentError, universe } from '../../schema/index.ts'
import { maxBytes } from './grammar.ts'
import { parseSql } from './parse.ts'

async function refusal(sql: string): Promise<ReticentError> {
  const error = await parseSql(sql, { dataset: 'census', universe: census }).catch((e: unknown) => e)
  if (!(error instanceof ReticentError)) throw new Error(`not refused: ${sql}`, { cause: error })
  return error
}

/** Statements with ^ before the place that the error must point at, the code, and words of the message or hint. */
const unsupported = [
  ['SELECT ^* FROM census', 'SELECT *'],
  ['SELECT COUNT(*) FROM ^census JOIN other ON true', 'join'],
  ['SELECT COUNT(*) FROM census, ^other', 'one table'],
  ['SELECT COUNT(*) FROM census WHERE age > ^(SELECT 1)', 'subquery'],
  ['SELECT COUNT(*) FROM census WHERE ^age IN (SELECT 1)', 'subquery'],
  ['SELECT COUNT(*) FROM (SELECT age FROM census GROUP BY ^age) x', 'subquery'],
  ['SELECT COUNT(*) FROM census UNION SELECT ^1', 'UNION'],
  ['WITH x AS (SELECT age FROM census LIMIT ^3) SELECT COUNT(*) FROM x', 'subquery'],
  ['SELECT DISTINCT ^COUNT(*) FROM census', 'DISTINCT'],
  ['SELECT ^COUNT(DISTINCT age) FROM census', 'DISTINCT'],
  ['SELECT AVG(^member) FROM census', 'AVG(x::int)'],
  ['SELECT SUM(^state) FROM census', 'group by it'],
  ['SELECT ^COUNT(*) OVER () FROM census', 'window'],
  ['SELECT sex, ^COUNT(*) OVER () FROM census GROUP BY sex', 'all those that the policy allows'],
  ['SELECT sex, ^MAX(COUNT(*)) OVER () FROM census GROUP BY sex', 'RANK()'],
  ['SELECT sex, ^NTILE(4) OVER (ORDER BY sex), COUNT(*) FROM census GROUP BY sex', 'LAG'],
  ['SELECT sex, ^SUM(AVG(age)) OVER () FROM census GROUP BY sex', 'ratio of two'],
  ['SELECT sex, SUM(COUNT(*)) OVER (ORDER BY ^COUNT(*)) FROM census GROUP BY sex', 'depend on noise'],
  ['SELECT RANK() OVER () FROM census GROUP BY age HAVING age ^> 3', 'Leave HAVING out'],
  ['SELECT sex, ^SUM(COUNT(*)) OVER () FROM census GROUP BY ROLLUP (sex)', 'coarser tables are free'],
  ['SELECT sex, ^LAG(COUNT(*), 1, 0) OVER (ORDER BY sex) FROM census GROUP BY sex', 'LAG(COUNT(*))'],
  ['SELECT sex, ^MODE(state) FROM census GROUP BY sex', 'the first of each is its mode'],
  ['SELECT COUNT(*) FROM census GROUP BY ^CUBE (age, sex, state, born, income, member, rank)', '64 sets'],
  ['SELECT ^GROUPING(sex), COUNT(*) FROM census GROUP BY ROLLUP (sex)', '(all)'],
  ['SELECT COUNT(*) FROM census WHERE age > ^(SELECT AVG(age) FROM census)', 'insert its answer as a number'],
  ['SELECT COUNT(*) FROM census WHERE ^age IN (SELECT age FROM census)', 'x IN (1, 2)'],
  [
    "SELECT sex, COUNT(*) / ^(SELECT COUNT(*) FROM census) FROM census WHERE sex = 'Male' GROUP BY sex",
    'do not cover all',
  ],
  ['SELECT COUNT(*) / ^(SELECT age FROM census) FROM census', 'one aggregate'],
  ['SELECT x FROM (SELECT 1 AS x FROM census GROUP BY age LIMIT ^2) t', 'outer statement'],
  ['SELECT ^ln(AVG(age)) FROM census', 'ends of its interval'],
  ['SELECT ^COALESCE(AVG(age), 0) FROM census', 'Leave it out'],
  ['SELECT ^GREATEST(COUNT(*), COUNT(age)) FROM census', 'one aggregate'],
  ['SELECT ^bool_or(member) FROM census', 'AVG(x::int)'],
  ['SELECT ^COUNT() FROM census', 'Write COUNT(*)'],
  ['SELECT COUNT(*) ^> 100 FROM census', '--probability'],
  ['SELECT age ^// 10, COUNT(*) FROM census GROUP BY 1', 'Write /'],
  ['SELECT ^extract(hour FROM born), COUNT(*) FROM census GROUP BY 1', 'only the day is known'],
  ["SELECT ^strftime(born, '%A'), COUNT(*) FROM census GROUP BY 1", 'strftime supports %Y'],
  ["SELECT ^decode(member, 'yes', 'no'), COUNT(*) FROM census GROUP BY 1", 'CASE WHEN'],
  ["SELECT COUNT(*) FROM census WHERE born >= ^'1990-06-01 13:00:00'", "Compare it with the day: '1990-06-01'"],
  ['^SHOW TABLES', 'SHOW is not supported'],
  ['SELECT ^COUNT(*) FROM census FOR UPDATE', 'FOR UPDATE'],
  ['SELECT COUNT(*) INTO ^x FROM census', 'INTO'],
  ['SELECT COUNT(*) FROM census TABLESAMPLE ^system(1)', 'TABLESAMPLE'],
  ['VALUES (^1)', 'VALUES'],
  ['^DELETE FROM census', 'DELETE'],
  ['^DROP TABLE census', 'drop'],
  ["^COPY census TO PROGRAM 'rm'", 'copy'],
  ['^EXPLAIN SELECT COUNT(*) FROM census', 'EXPLAIN'],
  ['SELECT COUNT(*) FROM census WHERE age > ^$1', 'parameter'],
  ["SELECT ^pg_read_file('/etc/passwd') FROM census", 'pg_read_file'],
  ['SELECT ^cuont(*) FROM census', 'Did you mean count?'],
  ['SELECT MEDIAN(^sex) FROM census', 'no quantiles'],
  ['SELECT MEDIAN(age ^* 2) FROM census', 'outside'],
  ['SELECT ^MEDIAN(age, 0.5) FROM census', '1 argument'],
  ['SELECT ^PERCENTILE_CONT(0.5) FROM census', 'WITHIN GROUP'],
  ['SELECT PERCENTILE_CONT(^age) WITHIN GROUP (ORDER BY age) FROM census', 'constant'],
  ['SELECT QUANTILE_DISC(age, ^1.5) FROM census', 'between 0 and 1'],
  ['SELECT QUANTILE_DISC(age, ^1) FROM census', '0.99'],
  ['SELECT age, MEDIAN(^age) FROM census GROUP BY age', 'cannot be grouped by age'],
  ['SELECT ^MIN(age) FROM census', 'PERCENTILE_DISC(0.01)'],
  ['SELECT COUNT(age ORDER BY ^age) FROM census', 'ORDER BY in an aggregate'],
  ['SELECT COUNT(*) FROM census WHERE upper(sex ORDER BY ^sex) = sex', 'ORDER BY in an aggregate'],
  ['SELECT ^constructor(age) FROM census', 'constructor'],
  ['SELECT 2 * ^round(AVG(age)) FROM census', 'round'],
  ['SELECT COUNT(*) FROM census WHERE ^count(*) > 3', 'aggregate'],
  ['SELECT SUM(^sex) FROM census', 'not a number'],
  ['SELECT SUM(^1) FROM census', 'constant'],
  ['SELECT ^SUM(*) FROM census', 'sum(*)'],
  ['SELECT ^COVAR_POP(age) FROM census', '2 arguments'],
  ['SELECT 2 * AVG(age)::^int FROM census', 'int4'],
  ['SELECT 2 * AVG(age)::numeric(^5, 2) FROM census', 'precision'],
  ['SELECT ^sex, COUNT(*) FROM census', 'GROUP BY'],
  ['SELECT ^age, COUNT(*) FROM census GROUP BY age / 10', 'GROUP BY'],
  ['SELECT ^sex FROM census GROUP BY sex', 'no aggregate'],
  ['SELECT ^1 FROM census', 'no aggregate'],
  ["SELECT ^'x', COUNT(*) FROM census", 'Leave out'],
  ['SELECT COUNT(*) * ^age FROM census GROUP BY age', 'constants'],
  ['SELECT COUNT(*) FROM census GROUP BY ^2', 'position 2'],
  ['SELECT COUNT(*) FROM census GROUP BY ^1', 'aggregates'],
  ['SELECT COUNT(*) FROM census WHERE ^age', 'not a condition'],
  ["SELECT COUNT(*) FROM census WHERE age = ^'abc'", 'number'],
  ['SELECT COUNT(*) FROM census WHERE age = ^true', 'number'],
  ['SELECT COUNT(*) FROM census WHERE member = ^1', 'true or false'],
  ['SELECT COUNT(*) FROM census WHERE born > ^1990', 'a date'],
  ["SELECT COUNT(*) FROM census WHERE born > ^'1990-02-30'", 'no date'],
  ["SELECT COUNT(*) FROM census WHERE born > DATE ^'tomorrow'", 'not a date'],
  ['SELECT COUNT(*) FROM census WHERE born > ^current_date', 'current date'],
  ["SELECT COUNT(*) FROM census WHERE age ^LIKE '1%'", 'text'],
  ["SELECT COUNT(*) FROM census WHERE state ^LIKE 'a\\'", 'pattern'],
  ["SELECT COUNT(*) FROM census WHERE state ^~ '(?=a)'", 'regular expression'],
  ['SELECT COUNT(*) FROM census WHERE state ^~ sex', 'quoted'],
  ['SELECT COUNT(*) FROM census WHERE ^random() > 0.5', 'random'],
  ['SELECT COUNT(*) FROM census WHERE age ^> ANY (ARRAY[1])', 'not supported'],
  ['SELECT COUNT(*) FROM census WHERE age > ^ARRAY[1]', 'not a list'],
  ['SELECT COUNT(*) FROM census WHERE age / 0 ^= 1', 'zero'],
  ['SELECT COUNT(*) ^/ 0 FROM census', 'zero'],
  ['SELECT COUNT(*) FROM census WHERE age ^OPERATOR("=".<) 3', 'operator'],
  ['SELECT COUNT(*) FROM census WHERE width_bucket(age, 1, 1, 3) ^= 1', 'out of range'],
  ['SELECT COUNT(*) FROM census WHERE ^extract(hour FROM born) = 20', 'year'],
  ['SELECT COUNT(*) FROM census ORDER BY ^2', 'position 2'],
  ['SELECT COUNT(*) FROM census LIMIT ^-1', 'LIMIT'],
  ['SELECT COUNT(*) FROM census LIMIT ^1.5', 'LIMIT'],
  ['SELECT COUNT(*) FROM census ORDER BY 1 FETCH FIRST ^1 ROWS WITH TIES', 'TIES'],
  ['SELECT COUNT(*) FROM census HAVING ^COUNT(*)', 'HAVING'],
  ["SELECT COUNT(*) FROM census HAVING COUNT(*) > ^'a'", 'number'],
  ['SELECT COUNT(*) FROM ONLY ^census', 'ONLY'],
  ['SELECT COUNT(*) FROM ^other.census', 'schema'],
  ['^SELECT COUNT(*)', 'FROM'],
  ['^SELECT FROM census', 'empty'],
  ['SELECT COUNT(*) FROM census; ^SELECT 1', 'one statement'],
  ['SELECT COUNT(*) * ^1e999 FROM census', 'digits'],
] as const

const unknown = [
  ['SELECT COUNT(*) FROM ^cenus', 'Did you mean census?'],
  ['SELECT COUNT(*) FROM ^people', 'called census'],
  ['SELECT COUNT(*) FROM census WHERE ^agee > 3', 'Did you mean age?'],
  ['SELECT COUNT(*) FROM census WHERE ^membr', 'Did you mean "Member"?'],
  ['SELECT COUNT(*) FROM census WHERE ^x = 3', 'The attributes are age, income'],
  ['SELECT COUNT(*) FROM census WHERE ^"RANK" = 3', '"Rank" or rank'],
  ['SELECT COUNT(*) FROM census c WHERE ^census.age = 3', 'called c'],
  ["SELECT COUNT(*) FROM census WHERE sex = ^'femal'", "Did you mean 'Female'?"],
  ["SELECT COUNT(*) FROM census WHERE sex = ^'other'", "'Female', 'Male'"],
  ["SELECT COUNT(*) FROM census WHERE state IN ('NY', ^'TX')", "state = 'other'"],
  ["SELECT sex, COUNT(*) FROM census GROUP BY sex HAVING sex = ^'male'", "'Male'"],
  ['SELECT COUNT(*) FROM census WHERE state = ^"NY"', "single quotes: 'NY'"],
  ['SELECT SUM(^ages) FROM census', 'Did you mean age?'],
  ['SELECT COUNT(*) FROM census GROUP BY ^stat', 'Did you mean state?'],
  ['SELECT COUNT(*) AS n FROM census ORDER BY ^m', 'no attribute'],
] as const

const syntax = [
  ['SELECT COUNT(* ^FROM census', 'syntax error'],
  ["SELECT COUNT(*) FROM census WHERE state = 'é' ^age", 'syntax error'],
  ["SELECT COUNT(*) FROM census WHERE state = ^'NY", 'unterminated'],
  ['SELECT QUANTILE_CONT(age, ^[0.25, 0.75]) FROM census', 'ARRAY['],
  ['SELECT ^[age], COUNT(*) FROM census GROUP BY age', 'double quotes'],
  ['^DESCRIBE census', 'in the policy'],
] as const

const cases = [
  ...unsupported.map((c) => ['sql-unsupported', ...c] as const),
  ...unknown.map((c) => ['unknown-name', ...c] as const),
  ...syntax.map((c) => ['sql-syntax', ...c] as const),
]
test.each(cases)('%s: %s', async (code, marked, words) => {
  const sql = marked.replace('^', '')
  const error = await refusal(sql)
  expect(error.code).toBe(code)
  expect(`${error.message} ${error.hint}`).toContain(words)
  expect(error.hint).toBeTruthy()
  expect(error.facts.position).toBe([...marked].indexOf('^') + 1)
  expect(error.detail?.split('\n')[2]).toBe(`${' '.repeat(Math.min(61, marked.indexOf('^')))}^`)
})

test('the place is found on its line, after characters of several bytes, in a long line', async () => {
  const error = await refusal("SELECT COUNT(*)\nFROM census -- é😀\n\tWHERE state <> 'é😀' AND agee = 3")
  expect(error.code).toBe('unknown-name')
  const second = await refusal('SELECT COUNT(*)\nFROM census /* é😀 */ WHERE agee = 3\n AND true')
  expect(second.facts).toMatchObject({ line: 2, column: 28, position: 44 })
  expect(second.detail).toBe(`line 2, column 28:\nFROM census /* é😀 */ WHERE agee = 3\n${' '.repeat(27)}^`)
  const long = await refusal(`SELECT COUNT(*) FROM census WHERE age IN (${'17, '.repeat(200)}17) AND agee = 3`)
  const [, line, caret] = long.detail!.split('\n')
  expect(line!.slice(caret!.length - 1)).toBe('agee = 3')
})

test('expressions that would grow without end', async () => {
  const nested = (before: string, inner: string, after: string) => `${before.repeat(30)}${inner}${after.repeat(30)}`
  for (const expression of [
    nested('(1 / ', 'age', ')'),
    nested('(1.5 / ', 'income', ')'),
    nested('replace(', 'state', ", 'N', 'NNNNNNNN')"),
    `lpad(state, 1000000000, 'x')`,
  ])
    expect((await refusal(`SELECT COUNT(*) FROM census WHERE length((${expression})::text) > 3`)).code).toBe(
      'sql-unsupported',
    )
})

test('what is not a statement', async () => {
  for (const sql of ['', '  ', ';', '-- nothing', 'SELECT COUNT(*) FROM census\0'])
    expect((await refusal(sql)).code).toBe('sql-syntax')
  const long = `SELECT COUNT(*) FROM census WHERE age IN (${'1,'.repeat(maxBytes / 2)}1)`
  expect((await refusal(long)).message).toContain('longer')
})

test('nesting is bounded', async () => {
  expect((await refusal(`SELECT COUNT(*) FROM census WHERE ${'NOT '.repeat(2000)}member`)).message).toContain('nested')
  const { message, hint } = await refusal(`SELECT ${'- '.repeat(7000)}COUNT(*) FROM census`)
  expect(`${message} ${hint}`).toContain('nested')
})

test('too many terms, with their number', async () => {
  const wide = universe(
    Array.from({ length: 20 }, (_, i) => attribute({ kind: 'integer', name: `a${i}`, low: 0, high: 5, closed: true })),
  )
  const either = Array.from({ length: 10 }, (_, i) => `(a${2 * i} = 1 OR a${2 * i + 1} > 3)`)
  const read = (n: number) =>
    parseSql(`SELECT COUNT(*) FROM t WHERE ${either.slice(0, n).join(' AND ')}`, { dataset: 't', universe: wide })
  expect((await read(9)).parts[0]!.terms).toHaveLength(512)
  await expect(read(10)).rejects.toMatchObject({ code: 'too-many-terms', facts: { terms: 1024, limit: 512 } })
})

test('too many values to compute with', async () => {
  const long = universe([attribute({ kind: 'integer', name: 'x', low: 0, high: 1_000_000, closed: true })])
  const read = (where: string) => parseSql(`SELECT COUNT(*) FROM t WHERE ${where}`, { dataset: 't', universe: long })
  expect((await read('x > 5000 AND x <> 70000')).parts).toHaveLength(1)
  await expect(read('x / 2 = 5')).rejects.toMatchObject({ code: 'sql-unsupported', facts: { values: 1_000_001 } })
})

test('names may not repeat on the axes of a result', async () => {
  const sql = 'SELECT sex AS k, state AS k, COUNT(*) FROM census GROUP BY sex, state'
  const { axes } = await parseSql(sql, { dataset: 'census', universe: census })
  expect(axes.map((axis) => axis.name)).toEqual(['sex', 'state'])
})

test('GROUP BY with too many groups', async () => {
  const error = await refusal('SELECT COUNT(*) FROM census GROUP BY age, income, state, born')
  expect(error.facts).toMatchObject({ groups: 75 * 202 * 6 * 25, limit: 2 ** 20 })
})

test.each([
  ['Bachelor', "Did you mean 'Bachelor''s degree'?"],
  ['10th', "Did you mean '10th grade'?"],
  ['masters', "Did you mean 'Master'?"],
  ['a Master of Arts', "Did you mean 'Master'?"],
  // Part of two, or of nothing: all are listed.
  ['grade', "Listed are '10th grade'"],
  ['e', "Listed are '10th grade'"],
  ['Doctor', "Listed are '10th grade'"],
])('a text that is part of one listed value alone, such as %s, is taken for it', async (text, hint) => {
  const values = ['10th grade', '11th grade', "Bachelor's degree", 'Master']
  const education = attribute({ kind: 'values', name: 'education', values, other: false, closed: true })
  const sql = `SELECT COUNT(*) FROM census WHERE education = '${text}'`
  const asked = parseSql(sql, { dataset: 'census', universe: universe([education]) })
  await expect(asked).rejects.toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }))
})
