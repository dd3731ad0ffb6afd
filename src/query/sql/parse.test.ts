import { describe, expect, test } from 'vitest'
import { census } from '../../../test/support/census.ts'
import { rational } from '../../numeric/index.ts'
import { label } from '../../schema/index.ts'
import { factorAt, groupOf, marginalOver, type Term } from '../linear-query.ts'
import { parseSql } from './parse.ts'
import type { Expression } from './statement.ts'

const read = (sql: string) => parseSql(sql, { dataset: 'census', universe: census })
const whereOf = async (where: string) =>
  (await read(`SELECT COUNT(*) FROM census WHERE ${where}`)).parts[0]?.terms ?? []

/** The labels of the codes on which a one-term condition on one attribute is true. */
async function labels(name: string, where: string): Promise<(string | null)[]> {
  const terms = await whereOf(where)
  expect(terms.length).toBeLessThanOrEqual(1)
  if (terms.length === 0) return []
  expect(Object.keys(terms[0]!.factors)).toEqual([name])
  return codes(terms[0]!, name).map((code) => label(attributeOf(name), code))
}
const attributeOf = (name: string) => census.attributes[census.index.get(name)!]!
const codes = (term: Term, name: string) =>
  Array.from({ length: attributeOf(name).size }, (_, code) => code).filter(
    (c) => factorAt(term.factors[name]!, c) === 1,
  )

describe('conditions on one attribute', () => {
  test.each([
    ['state', "state = 'NY'", ['NY']],
    ['state', "state <> 'NY'", ['GU', 'CA', '1', 'other']],
    ['state', "NOT state = 'NY'", ['GU', 'CA', '1', 'other']],
    ['state', "state IS DISTINCT FROM 'NY'", ['GU', 'CA', '1', 'other', null]],
    ['state', 'state IS NOT DISTINCT FROM NULL', [null]],
    ['state', "state = 'other'", ['other']],
    ['state', 'state = 1', ['1']],
    ['state', "state IN ('NY', 1)", ['NY', '1']],
    ['state', "state NOT IN ('NY', 'CA')", ['GU', '1', 'other']],
    ['state', "state NOT IN ('NY', NULL)", []],
    ['state', "state IN ('NY', NULL)", ['NY']],
    ['state', "(state IN ('NY', NULL)) IS NULL", ['GU', 'CA', '1', 'other', null]],
    ['state', "state < 'GX'", ['GU', 'CA', '1']],
    ['state', "state LIKE '_Y'", ['NY']],
    ['state', "state ILIKE '%u%'", ['GU']],
    ['state', "state NOT LIKE '%Y%'", ['GU', 'CA', '1', 'other']],
    ['state', "state LIKE 'oth%'", ['other']],
    ['state', 'state LIKE NULL', []],
    ['state', 'state IS NULL', [null]],
    ['state', "state = 'NY' OR state IS NULL", ['NY', null]],
    ['Member', 'member', ['true']],
    ['Member', 'NOT member', ['false']],
    ['Member', 'member IS NOT TRUE', ['false', null]],
    ['Member', 'member IS FALSE', ['false']],
    ['Member', 'member IS UNKNOWN', [null]],
    ['Member', "member = 'true'", ['true']],
    ['Member', "member = 't' OR member = 'NO'", ['false', 'true']],
    ['Member', "member <> 'yes'", ['false']],
    ['Member', 'member > false', ['true']],
    ['born', "born < '1990-07-01'", ['1990-05-01', '1990-06-01']],
    ['born', "born <= '1990-06-30'", ['1990-05-01', '1990-06-01']],
    ['born', "born < '1990-07-01 00:00:00'", ['1990-05-01', '1990-06-01']],
    ['born', "born < '1990-07-01T00:00'", ['1990-05-01', '1990-06-01']],
    ['born', "date_trunc('month', born) = DATE '1990-06-01'", ['1990-06-01']],
    ['born', "born BETWEEN '1992-01-01' AND '1992-02-29'", ['1992-01-01', '1992-02-01']],
    ['born', "date_trunc('year', born) = '1992-01-01'", ['1992-01-01', '1992-02-01', '1992-03-01', '1992-04-01']],
    ['born', "extract(quarter from born) = 1 and born > DATE '1992-01-31'", ['1992-02-01', '1992-03-01']],
    ['age', 'age / 2.0 < 9.25', ['17', '18']],
    ['age', '19 > age', ['17', '18']],
    ['age', "age = '42'", ['42']],
    ['age', 'age = 42.0', ['42']],
    ['age', 'age = 0x2A', ['42']],
    ['age', 'age = 4.2e1', ['42']],
    ['age', 'age BETWEEN 20 AND 18', []],
    ['age', 'age BETWEEN SYMMETRIC 20 AND 18', ['18', '19', '20']],
    ['age', 'age IN (17, 17.0, 19)', ['17', '19']],
    ['age', 'age NOT BETWEEN 19 AND 1e9', ['17', '18']],
    ['age', 'age / 10 = 9', ['90']],
    ['age', '(age - 17) % 40 = 1', ['18', '58']],
    ['age', '-age >= -18', ['17', '18']],
    ['age', 'census.age * 2 = 34', ['17']],
    ['age', 'width_bucket(age, 20, 80, 2) = 0', ['17', '18', '19']],
    ['income', "income = '199000'", ['199000']],
    ['income', 'income > 1e5 * 1.99', ['200000']],
  ] as const)('%s: %s', async (name, where, expected) => expect(await labels(name, where)).toEqual(expected))

  test.each(['1 = 1', 'true', 'NOT false', 'age < 1000 OR age IS NULL', 'NULL IS NULL', "'a' < 'b'"])(
    '%s is no condition',
    async (where) => expect(await whereOf(where)).toEqual([{ coefficient: 1, factors: {} }]),
  )
  test.each([
    'NULL',
    'age = NULL',
    '1 > 2',
    'false',
    "sex = 'Male' AND sex = 'Female'",
    'NOT (age < 1000) AND age IS NOT NULL',
    'age < 20 AND age > 30',
  ])('nothing can satisfy %s, so nothing needs to be asked', async (where) => {
    const { parts, columns } = await read(`SELECT COUNT(*), 2 * COUNT(*) + 3 FROM census WHERE ${where}`)
    expect(parts).toEqual([])
    expect(columns.map((c) => c.kind === 'value' && c.expression)).toEqual([
      { kind: 'constant', value: rational(0) },
      { kind: 'constant', value: rational(3) },
    ])
  })

  test('NULL ages are not under 18 and not 18 or over', async () => {
    expect(await labels('age', 'NOT (age < 89)')).toEqual(['89', '90'])
    expect(await labels('age', 'NOT (age < 89) OR age < 18')).toEqual(['17', '89', '90'])
  })
})

test('names: as written, or but for case where only one fits', async () => {
  for (const where of ['Age = 20', 'CENSUS.AGE = 20', '"age" = 20']) expect(await labels('age', where)).toEqual(['20'])
  expect(await labels('rank', 'rank = 1')).toEqual(['1'])
  expect(await labels('Rank', '"Rank" = 1')).toEqual(['1'])
  const { parts } = await read('SELECT COUNT(*) FROM CENSUS AS c WHERE c.age = 20;')
  expect(parts).toHaveLength(1)
})

const term = (factors: Term['factors'], coefficient = 1) => ({ coefficient, factors })
const all = { kind: 'interval', from: 0, to: 73 } as const

describe('aggregates', () => {
  const one = async (select: string) => {
    const { parts, columns } = await read(`SELECT ${select} FROM census`)
    expect(columns).toHaveLength(1)
    return { parts, expression: columns[0]!.kind === 'value' ? columns[0]!.expression : undefined }
  }
  const part0: Expression = { kind: 'part', part: 0 }

  test('COUNT(x) leaves out NULL; of a closed attribute it is COUNT(*)', async () => {
    expect((await one('COUNT(age)')).parts).toEqual([{ by: [], terms: [term({ age: all })], step: rational(1) }])
    expect((await one('COUNT(sex)')).parts).toEqual((await one('COUNT(*)')).parts)
    expect((await one('COUNT(1)')).parts).toEqual((await one('COUNT(*)')).parts)
  })

  test('a bare SUM is not centred, and comes in the largest unit it can', async () => {
    const value = (slope: number, shift: number, to: number) =>
      ({ kind: 'value', slope, shift, power: 1, from: 0, to }) as const
    expect(await one('SUM(age)')).toEqual({
      parts: [{ by: [], terms: [term({ age: value(1, 17, 73) })], step: rational(1) }],
      expression: part0,
    })
    expect((await one('SUM(income)')).parts[0]).toEqual({
      by: [],
      terms: [term({ income: value(1, 0, 200) })],
      step: rational(1000),
    })
  })

  test('a SUM with a hole in its WHERE is a table', async () => {
    const { parts } = await read('SELECT SUM(age) FROM census WHERE age IN (17, 20)')
    const table = new Array(75).fill(0)
    table[0] = 17
    table[3] = 20
    expect(parts[0]!.terms).toEqual([term({ age: { kind: 'table', values: table } })])
  })

  test('AVG is centred at the middle of what is left, and lies in it', async () => {
    const { parts, expression } = await one('AVG(age) FILTER (WHERE age >= 20 AND age <= 29)')
    const of = { kind: 'interval', from: 3, to: 12 } as const
    expect(parts).toEqual([
      {
        by: [],
        terms: [term({ age: { kind: 'value', slope: 2, shift: -15, power: 1, from: 3, to: 12 } })],
        step: rational(1, 2),
      },
      { by: [], terms: [term({ age: of })], step: rational(1) },
    ])
    expect(expression).toEqual({
      kind: 'clip',
      of: {
        kind: 'sum',
        left: { kind: 'constant', value: rational(49, 2) },
        right: { kind: 'quotient', left: part0, right: { kind: 'part', part: 1 } },
      },
      low: rational(20),
      high: rational(29),
    })
  })

  test('VARIANCE and STDDEV ask for the same three parts', async () => {
    const { parts, columns } = await read(
      'SELECT VARIANCE(age), STDDEV(age), VAR_POP(age), AVG(age), COUNT(age) FROM census',
    )
    expect(parts.map((q) => q.terms[0]!.factors.age)).toEqual([
      { kind: 'value', slope: 2, shift: -73, power: 1, from: 0, to: 73 },
      { kind: 'value', slope: 2, shift: -73, power: 2, from: 0, to: 73 },
      all,
    ])
    expect(parts.map((q) => q.step)).toEqual([rational(1, 2), rational(1, 4), rational(1)])
    expect(columns.map((c) => c.name)).toEqual(['variance', 'stddev', 'var_pop', 'avg', 'count'])
  })

  test('COVAR_POP looks only at records where both are known', async () => {
    const { parts } = await one('COVAR_POP(age, income)')
    expect(parts).toHaveLength(4)
    for (const q of parts) expect(Object.keys(q.terms[0]!.factors).sort()).toEqual(['age', 'income'])
  })

  test.each([
    ['COUNT(*) - COUNT(*) FILTER (WHERE age < 18)', 1],
    ['SUM(age) - 10 * COUNT(age) + 3', 1],
    ['2 * COUNT(*)', 1],
    ['COUNT(*) / 2 + 1', 1],
    ['SUM(age) + SUM(income) / 1000', 1],
    ['COUNT(*) / COUNT(age)', 2],
    ['COUNT(*) * COUNT(*)', 1],
    ['100.0 * COUNT(*) FILTER (WHERE age > 60) / NULLIF(COUNT(*), 0)', 2],
    ['COUNT(*) - COUNT(*)', 0],
    ['SUM(CASE WHEN age > 60 THEN 1 ELSE 0 END)', 1],
    ['SUM((age > 60)::int)', 1],
  ])('%s needs %i parts', async (select, n) => expect((await one(select)).parts).toHaveLength(n))

  test.each([
    [
      "SELECT IFNULL(state, 'none') AS s, COUNT(*) FROM census GROUP BY s",
      "SELECT COALESCE(state, 'none') AS s, COUNT(*) FROM census GROUP BY s",
    ],
    ['SELECT SUM(nvl(age, 0)) FROM census', 'SELECT SUM(COALESCE(age, 0)) FROM census'],
    [
      "SELECT if(age < 30, 'a', 'b') AS g, COUNT(*) FROM census GROUP BY g",
      "SELECT CASE WHEN age < 30 THEN 'a' ELSE 'b' END AS g, COUNT(*) FROM census GROUP BY g",
    ],
    [
      'SELECT SUM(iff(age < 30, ifnull(income, 0), 1)) FROM census',
      'SELECT SUM(CASE WHEN age < 30 THEN COALESCE(income, 0) ELSE 1 END) FROM census',
    ],
    ['SELECT CAST(AVG(age) AS INTEGER) AS a FROM census', 'SELECT round(AVG(age)) AS a FROM census'],
    ['SELECT SUM(income)::bigint AS a FROM census', 'SELECT round(SUM(income)) AS a FROM census'],
  ])('%s is %s', async (short, long) => {
    const [a, b] = [await read(short), await read(long)]
    expect(a.parts).toEqual(b.parts)
    expect(a.columns).toEqual(b.columns)
  })

  test('a linear expression is one query, and a multiple of a query is not another one', async () => {
    const { parts, columns } = await read(
      'SELECT SUM(age) - 10 * COUNT(age), 30 * COUNT(age) - 3 * SUM(age) + 1, (COUNT(*) + 1) * 2, COUNT(*)::float FROM census',
    )
    expect(parts[0]).toEqual({
      by: [],
      terms: [
        term({ age: all }, -10),
        term({ age: { kind: 'value', slope: 1, shift: 17, power: 1, from: 0, to: 73 } }),
      ],
      step: rational(1),
    })
    expect(parts).toHaveLength(2)
    const times = (n: number, part: number): Expression => ({
      kind: 'product',
      left: { kind: 'constant', value: rational(n) },
      right: { kind: 'part', part },
    })
    const constant = (n: number): Expression => ({ kind: 'constant', value: rational(n) })
    expect(columns.map((c) => c.kind === 'value' && c.expression)).toEqual([
      part0,
      { kind: 'sum', left: times(-3, 0), right: constant(1) },
      { kind: 'sum', left: times(2, 1), right: constant(2) },
      { kind: 'part', part: 1 },
    ])
  })

  test('SUM of a CASE counts, without asking for the branches that give 0', async () => {
    const counted = await one('COUNT(*) FILTER (WHERE age > 60)')
    expect(await one('SUM(CASE WHEN age > 60 THEN 1 ELSE 0 END)')).toEqual(counted)
    expect(await one('COUNT(CASE WHEN age > 60 THEN 1 END)')).toEqual(counted)
    expect(await one('SUM((age > 60)::int)')).toEqual(counted)
  })
})

describe('GROUP BY', () => {
  test('without a condition it is a marginal', async () => {
    const { parts, axes } = await read('SELECT sex, state, COUNT(*) FROM census GROUP BY sex, state')
    expect(marginalOver(parts[0]!)).toEqual(['sex', 'state'])
    expect(axes).toEqual([
      { name: 'sex', attribute: 'sex', labels: ['Female', 'Male'] },
      { name: 'state', attribute: 'state', labels: ['NY', 'GU', 'CA', '1', 'other', null] },
    ])
  })

  test('a condition on the grouped attribute chooses the groups', async () => {
    const { parts, axes } = await read("SELECT state, COUNT(*) FROM census WHERE state <> 'GU' AND age > 88 GROUP BY 1")
    expect(axes[0]!.labels).toEqual(['NY', 'CA', '1', 'other'])
    expect(parts[0]!.terms).toEqual([term({ age: { kind: 'interval', from: 72, to: 73 } })])
    expect(parts[0]!.by[0]!.groups).toHaveLength(4)
  })

  test('a FILTER leaves the groups as they are', async () => {
    const { parts, axes } = await read(
      "SELECT state, COUNT(*) FILTER (WHERE state = 'GU'), COUNT(*) FROM census GROUP BY state",
    )
    expect(axes[0]!.labels).toHaveLength(6)
    expect(parts[0]!.terms).toEqual([term({ state: { kind: 'interval', from: 1, to: 1 } })])
    expect(parts[0]!.by).toEqual(parts[1]!.by)
  })

  test.each(["state = 'GU' AND state = 'NY'", 'false', 'NULL'])('WHERE %s leaves no group', async (where) => {
    const { parts, axes } = await read(`SELECT state, COUNT(*) FROM census WHERE ${where} GROUP BY state`)
    expect([parts, axes[0]!.labels]).toEqual([[], []])
  })

  test.each([
    ['age', 'width_bucket(age, 20, 80, 2)', [0, 1, 2, 3, null]],
    ['age', 'floor(age / 25) * 25', [0, 25, 50, 75, null]],
    ['age', 'age / 50', [0, 1, null]],
    ['age', 'floor(age / 50.0)', [0, 1, null]],
    ['income', 'ceil(income / 150000)', [0, 1, 2, null]],
    ['born', 'extract(year from born)', [1990, 1991, 1992, null]],
    ['born', "date_trunc('year', born)", ['1990-01-01', '1991-01-01', '1992-01-01', null]],
    ['born', 'extract(quarter from born)', [1, 2, 3, 4, null]],
  ] as const)('%s by %s', async (name, key, keys) => {
    for (const by of [key, '1', 'k']) {
      const { parts, axes, columns } = await read(`SELECT ${key} AS k, COUNT(*) FROM census GROUP BY ${by}`)
      expect(axes).toEqual([{ name: 'k', attribute: name, labels: keys }])
      expect(columns[0]).toEqual({ kind: 'key', name: 'k', axis: 0 })
      // Every code is in one group, so nobody is left out.
      const groups = Array.from({ length: attributeOf(name).size }, (_, code) => groupOf(parts[0]!.by[0]!, code))
      expect(new Set(groups)).toEqual(new Set(keys.keys()))
    }
  })

  test('a function that gives each code its own key is the attribute again', async () => {
    const { parts, axes } = await read("SELECT COUNT(*) FROM census GROUP BY date_trunc('month', born)")
    expect(marginalOver(parts[0]!)).toEqual(['born'])
    expect(axes[0]!.name).toBe('born')
  })

  test('keys are numbers, booleans, dates and texts', async () => {
    const first = async (key: string) =>
      (await read(`SELECT ${key}, COUNT(*) FROM census GROUP BY ${key}`)).axes[0]!.labels[1]
    expect(await Promise.all(['age', 'income', 'member', 'born', 'sex'].map(first))).toEqual([
      18,
      1000,
      true,
      '1990-06-01',
      'Male',
    ])
  })

  test('the same key twice is one axis', async () => {
    const { axes } = await read('SELECT sex, COUNT(*) FROM census GROUP BY sex, census.sex, 1')
    expect(axes).toHaveLength(1)
  })
})

test('sizes: two million codes are a few terms', async () => {
  const { attribute, universe } = await import('../../schema/index.ts')
  const big = universe([attribute({ kind: 'integer', name: 'x', low: 0, high: 2_000_000, closed: false })])
  const { parts } = await parseSql('SELECT COUNT(*), SUM(x) FROM t WHERE x <> 5', { dataset: 't', universe: big })
  expect(parts.map((q) => q.terms.length)).toEqual([2, 2])
})
