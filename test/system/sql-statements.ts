import { rational } from '../../src/numeric/index.ts'
import { type Attribute, attribute, label, nullCode, universe } from '../../src/schema/index.ts'

/** Every kind of attribute, small, with names and values that try the quoting. */
export const people = universe([
  attribute({ kind: 'integer', name: 'age', low: -3, high: 9, closed: false }),
  attribute({ kind: 'integer', name: 'kids', low: 0, high: 4, closed: true }),
  attribute({
    kind: 'decimal',
    name: 'pay',
    low: rational(-1, 2),
    high: rational(2),
    step: rational(1, 4),
    closed: false,
  }),
  attribute({
    kind: 'values',
    name: 'State',
    values: ['NY', 'GU', "O'Hara", 'new_york', '1'],
    other: true,
    closed: false,
  }),
  attribute({ kind: 'values', name: 'sex', values: ['Female', 'Male'], other: false, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: false }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '2019-11-03',
    to: '2021-02-20',
    by: 'month',
    format: 'YYYY-MM-DD',
    closed: false,
  }),
  attribute({
    kind: 'date',
    name: 'seen',
    from: '2020-02-25',
    to: '2020-03-08',
    by: 'day',
    format: 'YYYY-MM-DD',
    closed: true,
  }),
])

/** A SQL literal of what the encoded table holds at a code. */
export function sqlLiteral(a: Attribute, code: number): string {
  const text = label(a, code)
  if (text === null) return 'NULL'
  if (a.kind === 'values') return `'${text.replaceAll("'", "''")}'`
  return a.kind === 'date' ? `DATE '${text}'` : text
}

export const columnType: { readonly [K in Attribute['kind']]: string } = {
  integer: 'INTEGER',
  decimal: 'DECIMAL(9, 3)',
  values: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'DATE',
}

/** Draws 0 … n-1. */
export type Draw = (n: number) => number

/** A small fast generator for tests (mulberry32): the same seed, the same draws. */
export function draws(seed: number): Draw {
  let state = seed | 0
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n)
  }
}

const pick = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length)]!

/** A statement in the two dialects, and what the comparison has to know of it. */
export interface Sample {
  readonly ours: string
  readonly duckdb: string
  readonly ordered: boolean
}

/** Text whose two dialects differ only where // divides integers: PostgreSQL writes /. */
const dialects = (text: string) => ({ ours: text.replaceAll('//', '/'), duckdb: text })

const numeric = ['age', 'kids', 'pay']

function literalFor(draw: Draw, a: Attribute): string {
  if (draw(25) === 0) return 'NULL'
  switch (a.kind) {
    case 'integer':
      return pick(draw, [
        `${draw(16) - 5}`,
        `${draw(16) - 5}`,
        `${draw(12)}.5`,
        `-${draw(4)}.25`,
        '1e3',
        `${draw(3)} + ${draw(4)}`,
      ])
    case 'decimal':
      return pick(draw, [`${draw(3)}.25`, `${draw(3)}`, '-0.5', '0.3', '-100', '1.75', '100'])
    case 'boolean':
      return pick(draw, ['true', 'false'])
    case 'values':
      return sqlLiteral(a, draw(nullCode(a) < 0 ? a.size : a.size - 1))
    case 'date':
      return pick(draw, [
        sqlLiteral(a, draw(a.size - 1)),
        `'${label(a, draw(a.size - 1))}'`,
        "DATE '2020-02-29'",
        "'2020-07-15'",
        "DATE '1999-01-01'",
        "'2031-12-31'",
      ])
  }
}

const column = (draw: Draw, a: Attribute) => {
  const name = /^[a-z]+$/.test(a.name) ? pick(draw, [a.name, a.name.toUpperCase()]) : `"${a.name}"`
  return pick(draw, [name, name, `people.${name}`])
}

const comparison = (draw: Draw) => pick(draw, ['=', '<>', '!=', '<', '<=', '>', '>='])

function leaf(draw: Draw): string {
  const a = pick(draw, people.attributes)
  const x = column(draw, a)
  const value = () => literalFor(draw, a)
  switch (draw(14)) {
    case 0:
      return `${x} IS ${pick(draw, ['', 'NOT '])}NULL`
    case 1:
      return `${x} ${pick(draw, ['', 'NOT '])}BETWEEN ${value()} AND ${value()}`
    case 2:
      return `${x} ${pick(draw, ['', 'NOT '])}IN (${Array.from({ length: 1 + draw(4) }, value).join(', ')})`
    case 3:
      return `${value()} ${comparison(draw)} ${x}`
    case 4:
      return `${x} IS ${pick(draw, ['', 'NOT '])}DISTINCT FROM ${value()}`
    case 5:
      return pick(draw, ['member', 'NOT member', 'true', 'false', '1 = 1', '2 < 1', 'NULL'])
    case 6:
      return `"State" ${pick(draw, ['', 'NOT '])}${pick(draw, ['LIKE', 'ILIKE'])} ${pick(draw, ["'%y%'", "'n%'", "'__'", "'%''%'", "'new!_%' ESCAPE '!'", "'OTHER'", "'%'", "'N_'"])}`
    case 7:
      return `age // ${2 + draw(3)} ${comparison(draw)} ${draw(6) - 2}`
    case 8:
      return `extract(${pick(draw, ['year', 'month', 'quarter'])} FROM born) ${comparison(draw)} ${pick(draw, ['2020', '6', '2'])}`
    case 9:
      return `${pick(draw, ['floor', 'ceil'])}(pay * ${1 + draw(3)} ${pick(draw, ['+', '-'])} 0.5) ${comparison(draw)} ${draw(5) - 1}`
    case 10:
      return `date_trunc('${pick(draw, ['year', 'month', 'quarter'])}', ${pick(draw, ['born', 'seen'])}) ${comparison(draw)} DATE '2020-0${1 + draw(9)}-01'`
    default:
      return `${x} ${comparison(draw)} ${value()}`
  }
}

export function where(draw: Draw, depth: number): string {
  if (depth === 0 || draw(4) === 0) return leaf(draw)
  const inner = () => `(${where(draw, depth - 1)})`
  switch (draw(8)) {
    case 0:
      return `NOT ${inner()}`
    case 1:
      return `${inner()} IS ${pick(draw, ['', 'NOT '])}${pick(draw, ['TRUE', 'FALSE', 'NULL'])}`
    case 2:
    case 3:
      return `${inner()} OR ${inner()}`
    case 4:
      return `${inner()} OR ${inner()} AND ${inner()}`
    default:
      return `${inner()} AND ${inner()}`
  }
}

/** Aggregates whose double in DuckDB is exact, so that sorting and comparing them cannot depend on rounding. */
function exactAggregate(draw: Draw): string {
  const filter = draw(3) === 0 ? ` FILTER (WHERE ${where(draw, 1)})` : ''
  const any = column(draw, pick(draw, people.attributes))
  return `${pick(draw, ['COUNT(*)', `COUNT(${any})`, 'COUNT(1)'])}${filter}`
}

function aggregate(draw: Draw): string {
  const filter = draw(3) === 0 ? ` FILTER (WHERE ${where(draw, 2)})` : ''
  const x = pick(draw, numeric)
  const one = pick(draw, ['VARIANCE', 'VAR_SAMP', 'VAR_POP', 'STDDEV', 'STDDEV_SAMP', 'STDDEV_POP', 'AVG', 'AVG'])
  switch (draw(6)) {
    case 0:
      return `${one}(${x})${filter}`
    case 1:
      return `${pick(draw, ['COVAR_POP', 'COVAR_SAMP'])}(${x}, ${pick(draw, numeric)})${filter}`
    case 2:
      return `COALESCE_SUM(${x})${filter}`
    case 3:
      return pick(draw, [
        `COALESCE_SUM(CASE WHEN ${where(draw, 1)} THEN ${draw(3)} WHEN ${where(draw, 0)} THEN ${x} ELSE -1 END)${filter}`,
        `COUNT(CASE WHEN ${where(draw, 1)} THEN ${x} END)${filter}`,
        `AVG(CASE WHEN ${where(draw, 1)} THEN 1 ELSE 0 END)${filter}`,
      ])
    default:
      return exactAggregate(draw)
  }
}

function arithmetic(draw: Draw, depth: number): string {
  if (depth === 0 || draw(3) === 0) return aggregate(draw)
  const inner = () => `(${arithmetic(draw, depth - 1)})`
  const constant = () => pick(draw, ['2', '100.0', '0.5', '-3', '7::numeric'])
  switch (draw(7)) {
    case 0:
      return `${constant()} * ${inner()}`
    case 1:
      return `${inner()} / ${constant()}`
    case 2:
      return `${inner()} / NULLIF(${exactAggregate(draw)}, 0)`
    case 3:
      return `-${inner()}::double precision`
    case 4:
      return `${inner()} * ${inner()}`
    default:
      return `${inner()} ${pick(draw, ['+', '-'])} ${pick(draw, [inner(), constant()])}`
  }
}

/** Keys as functions of different attributes. */
const keys = (draw: Draw): string[] => [
  pick(draw, ['age', 'age // 3', 'floor(age / 4.0) * 4', 'age % 3', 'age // 2 * 2']),
  pick(draw, ['pay', 'floor(pay)', 'pay * 2', 'ceil(pay / 0.75)']),
  pick(draw, ['"State"', 'STATE']),
  'sex',
  'member',
  pick(draw, [
    'born',
    "date_trunc('year', born)",
    'extract(month FROM born)',
    "date_part('year', born)",
    "date_trunc('quarter', born)",
  ]),
  pick(draw, ['seen', 'extract(day FROM seen)', "date_trunc('month', seen)"]),
  'kids',
]

function condition(draw: Draw, depth: number): string {
  if (depth === 0 || draw(2) === 0)
    return pick(draw, [
      `${exactAggregate(draw)} ${comparison(draw)} ${draw(12)}`,
      // No average of such values is at a threshold with this fraction, so rounding cannot decide.
      `AVG(${pick(draw, numeric)}) ${pick(draw, ['<', '>'])} ${draw(4)}.01371`,
      `${exactAggregate(draw)} ${pick(draw, ['', 'NOT '])}BETWEEN ${draw(4)} AND ${3 + draw(9)}`,
      `AVG(${pick(draw, numeric)}) IS ${pick(draw, ['', 'NOT '])}NULL`,
      `${exactAggregate(draw)} ${pick(draw, ['', 'NOT '])}IN (${draw(4)}, ${draw(4)}, NULL)`,
    ])
  return `${pick(draw, ['', 'NOT '])}(${condition(draw, depth - 1)} ${pick(draw, ['AND', 'OR'])} ${condition(draw, depth - 1)})`
}

/** A random statement of the whole subset (but width_bucket, which DuckDB does not have). */
export function sample(draw: Draw): Sample {
  const grouped =
    draw(2) === 0
      ? []
      : keys(draw)
          .filter(() => draw(4) === 0)
          .slice(0, 2)
  const values = Array.from({ length: 1 + draw(3) }, () => arithmetic(draw, 2))
  // The last column says which groups are empty.
  const list = [...grouped.map((key, i) => (draw(2) ? `${key} AS k${i}` : key)), ...values, 'COUNT(*) AS n']
  const filter = draw(4) > 0 ? ` WHERE ${where(draw, 3)}` : ''
  const group =
    grouped.length > 0 ? ` GROUP BY ${grouped.map((key, i) => (draw(3) === 0 ? i + 1 : key)).join(', ')}` : ''
  const ordered = draw(2) === 0
  const having = ordered
    ? ` HAVING COUNT(*) > 0 AND ${condition(draw, 1)}`
    : draw(3) === 0
      ? ` HAVING ${condition(draw, 2)}`
      : ''
  const by = [pick(draw, ['n', exactAggregate(draw), `2 * ${exactAggregate(draw)}`]), ...grouped].map(
    (o) => `${o}${pick(draw, ['', ' ASC', ' DESC'])}${pick(draw, ['', ' NULLS FIRST', ' NULLS LAST'])}`,
  )
  const order = ordered
    ? ` ORDER BY ${by.join(', ')}${pick(draw, ['', ` LIMIT ${draw(6)}`, ` LIMIT ${draw(9)} OFFSET ${draw(3)}`])}`
    : ''
  const { ours, duckdb } = dialects(`SELECT ${list.join(', ')} FROM people${filter}${group}${having}${order}`)
  return { ours: ours.replaceAll('COALESCE_SUM', 'SUM'), duckdb: sumsOfNoneAreZero(duckdb), ordered }
}

/** SUM of no rows: NULL in DuckDB, 0 here. The marker is followed by balanced parentheses and perhaps a FILTER. */
function sumsOfNoneAreZero(text: string): string {
  const at = text.lastIndexOf('COALESCE_SUM')
  if (at < 0) return text
  let end = closing(text, text.indexOf('(', at))
  if (text.startsWith(' FILTER (', end)) end = closing(text, text.indexOf('(', end))
  const sum = text.slice(at, end).replace('COALESCE_SUM', 'SUM')
  return sumsOfNoneAreZero(`${text.slice(0, at)}COALESCE(${sum}, 0)${text.slice(end)}`)
}

/** The index after the parenthesis that closes the one at `open`; quoted texts of the generator hold none. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let i = open; ; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')' && --depth === 0) return i + 1
  }
}
