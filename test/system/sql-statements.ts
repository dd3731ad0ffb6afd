import { add, multiply, rational, subtract } from '../../src/numeric/index.ts'
import {
  type Attribute,
  attribute,
  type BinsAttribute,
  binEdge,
  binValue,
  daysAt,
  decimalText,
  isCoarse,
  knownCodes,
  label,
  nullCode,
  universe,
} from '../../src/schema/index.ts'

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
    kind: 'bins',
    name: 'size',
    low: rational(-1),
    high: rational(3, 2),
    width: rational(1, 4),
    edges: [],
    stated: [],
    closed: true,
  }),
  attribute({
    kind: 'bins',
    name: 'rent',
    low: rational(-2),
    high: rational(10),
    width: null,
    edges: [-2, 0, 0.5, 3, 10].map((edge) => rational(2 * edge, 2)),
    stated: [],
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

/** A SQL literal of what the table may hold at a code: any of the values that the code stands for. */
function rawLiteral(draw: Draw, a: Attribute, code: number): string {
  if (code === nullCode(a) || !isCoarse(a)) return sqlLiteral(a, code)
  if (a.kind === 'bins') {
    const width = subtract(binEdge(a, code + 1), binEdge(a, code))
    return decimalText(add(binEdge(a, code), multiply(width, rational(draw(8), 8))))
  }
  const [first, last] = a.kind === 'date' ? (daysAt(a, code).map(Date.parse) as [number, number]) : [0, 0]
  const day = first + 86_400_000 * draw(1 + (last - first) / 86_400_000)
  return `DATE '${new Date(day).toISOString().slice(0, 10)}'`
}

/** The columns that DuckDB has of an attribute: its raw values, and where they are known by cells, these and their middles. */
export function columnsFor(
  a: Attribute,
): { name: string; type: string; literal: (draw: Draw, code: number) => string }[] {
  const raw = {
    name: a.name,
    type: columnType[a.kind],
    literal: (draw: Draw, code: number) => rawLiteral(draw, a, code),
  }
  if (!isCoarse(a)) return [raw]
  const labels = Array.from({ length: knownCodes(a) }, (_, code) => `'${label(a, code)}'`)
  const known = (text: (code: number) => string) => (_: Draw, code: number) =>
    code === nullCode(a) ? 'NULL' : text(code)
  // An ENUM sorts by place, as bins do.
  const cell = {
    name: `${a.name}_cell`,
    type: a.kind === 'bins' ? `ENUM(${labels.join(', ')})` : 'DATE',
    literal: known((code) => labels[code]!),
  }
  const middle = (bins: BinsAttribute) => ({
    name: `${a.name}_middle`,
    type: 'DOUBLE',
    literal: known((code) => decimalText(binValue(bins, code))),
  })
  return a.kind === 'bins' ? [raw, cell, middle(a)] : [raw, cell]
}

/** A SQL literal of a code's label. */
export function sqlLiteral(a: Attribute, code: number): string {
  const text = label(a, code)
  if (text === null) return 'NULL'
  if (a.kind === 'values') return `'${text.replaceAll("'", "''")}'`
  return a.kind === 'date' ? `DATE '${text}'` : text
}

const columnType: { readonly [K in Attribute['kind']]: string } = {
  integer: 'INTEGER',
  decimal: 'DECIMAL(9, 3)',
  bins: 'DOUBLE',
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

const numeric = ['age', 'kids', 'pay', 'MIDDLE_rent', 'MIDDLE_size']
/** In a sum a bin counts as its middle, and groups are its cells; DuckDB has both in columns of their own. */
const columnsOfCells = ({ ours, duckdb }: { ours: string; duckdb: string }) => ({
  ours: ours.replaceAll(/MIDDLE_|CELL_/g, ''),
  duckdb: duckdb.replaceAll(/MIDDLE_(\w+)/g, '$1_middle').replaceAll(/CELL_(\w+)/g, '$1_cell'),
})

function literalFor(draw: Draw, a: Attribute): string {
  if (draw(25) === 0) return 'NULL'
  switch (a.kind) {
    case 'integer':
      return pick(draw, [
        `${draw(13) - 3}`,
        `${draw(5)}`,
        `${draw(5)}.0`,
        ...(draw(8) === 0 ? [`${draw(5)}.5`, '1e3', '-100'] : []),
        `${draw(2)} + ${draw(4)}`,
      ])
    case 'decimal':
      return pick(draw, [
        `${draw(2)}.25`,
        `${draw(3)}`,
        '-0.5',
        ...(draw(8) === 0 ? ['0.3', '-100', '100'] : []),
        '1.75',
      ])
    case 'bins':
      return decimalText(binEdge(a, 1 + draw(knownCodes(a) - 1)))
    case 'boolean':
      return pick(draw, ['true', 'false'])
    case 'values':
      return sqlLiteral(a, draw(nullCode(a) < 0 ? a.size : a.size - 1))
    case 'date':
      return pick(draw, [
        sqlLiteral(a, draw(a.size - 1)),
        `'${label(a, draw(a.size - 1))}'`,
        ...(draw(8) === 0 ? ["DATE '2020-02-29'", "'2020-07-15'", "DATE '1999-01-01'", "'2031-12-31'"] : []),
      ])
  }
}

const column = (draw: Draw, a: Attribute) => {
  const name = /^[a-z]+$/.test(a.name) ? pick(draw, [a.name, a.name.toUpperCase()]) : `"${a.name}"`
  return pick(draw, [name, name, `people.${name}`])
}

/** Conditions on what is known by cells: bounds where one begins, or the day before. */
function coarseLeaf(draw: Draw, a: Attribute, x: string): string {
  const value = () => literalFor(draw, a)
  const edge = () => (a.kind === 'bins' ? decimalText(binEdge(a, 1 + draw(knownCodes(a) - 1))) : '0')
  const lastDay = () => (a.kind === 'date' ? `'${daysAt(a, draw(knownCodes(a)))[1]}'` : value())
  const [upTo, after] = a.kind === 'date' ? ['<=', '>'] : ['<', '>=']
  return pick(draw, [
    `${x} IS ${pick(draw, ['', 'NOT '])}NULL`,
    `${x} < ${value()}`,
    `${x} >= ${value()}`,
    `${value()} > ${x}`,
    `${x} ${upTo} ${lastDay()}`,
    `${lastDay()} ${upTo === '<=' ? '<' : '<='} ${x}`,
    `NOT ${x} ${after} ${lastDay()}`,
    a.kind === 'date'
      ? `${x} ${pick(draw, ['', 'NOT '])}BETWEEN ${value()} AND ${lastDay()}`
      : `floor(size * ${pick(draw, [1, 2, 4])}) ${comparison(draw)} ${draw(2) - 1}`,
    a.kind === 'date' ? `${x} = ${value()}` : `1 - ${x} ${pick(draw, ['>', '<='])} 1 - (${edge()})`,
  ])
}

const comparison = (draw: Draw) => pick(draw, ['=', '<>', '!=', '<', '<=', '>', '>='])

function leaf(draw: Draw): string {
  const a = pick(draw, people.attributes)
  const x = column(draw, a)
  const value = () => literalFor(draw, a)
  if (isCoarse(a)) return coarseLeaf(draw, a, x)
  switch (draw(17)) {
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
      return `age // ${2 + draw(3)} ${comparison(draw)} ${draw(3)}`
    case 8:
      return `extract(${pick(draw, ['year FROM born) = 2020', 'month FROM born) <> 6', 'quarter FROM born) <= 2', 'day FROM seen) > 4', 'year FROM born) > 2019'])}`
    case 9:
      return `${pick(draw, ['floor', 'ceil'])}(pay * ${1 + draw(3)} ${pick(draw, ['+', '-'])} 0.5) ${comparison(draw)} ${draw(5) - 1}`
    case 10:
      return `date_trunc(${pick(draw, [`'month', born) ${comparison(draw)} DATE '2020-0${1 + draw(9)}-01'`, `'quarter', born) ${comparison(draw)} '2020-0${pick(draw, [1, 4, 7])}-01'`, `'year', born) ${comparison(draw)} '2020-01-01'`, `'month', seen) ${pick(draw, ['>=', '=', '<>'])} '2020-03-01'`])}`
    case 11:
      return `${ofSeveral(draw)} ${comparison(draw)} ${draw(6)}`
    case 12:
      return pick(draw, [
        `age ${comparison(draw)} kids`,
        'pay > kids',
        `kids * 2 IS ${pick(draw, ['', 'NOT '])}DISTINCT FROM age`,
        'age IN (kids, 3, NULL)',
        'age BETWEEN kids AND 2 * kids',
      ])
    case 13:
      return pick(draw, [
        'upper("State") = \'NY\'',
        "substr(\"State\", 1, 1) IN ('N', 'n')",
        `length("State") ${comparison(draw)} 2`,
        '("State" || sex) LIKE \'N%e\'',
        `${pick(draw, ['starts_with', 'ends_with', 'contains'])}("State", 'n')`,
        "strftime(seen, '%Y-%m') = '2020-03'",
        `COALESCE("State", sex) >= 'N'`,
        `extract(dow FROM seen) ${comparison(draw)} ${draw(6)}`,
        `seen + ${draw(5)} > DATE '2020-03-05'`,
      ])
    default:
      return `${x} ${comparison(draw)} ${value()}`
  }
}

/** Numbers made of several attributes, or of choices. */
const ofSeveral = (draw: Draw): string =>
  pick(draw, [
    'age + kids',
    'age * kids',
    '(pay * 2 + kids)',
    `CASE WHEN age > ${draw(5)} THEN kids ELSE 1 END`,
    'COALESCE(age, kids)',
    'COALESCE(age, 0)',
    'abs(age - kids)',
    `LEAST(age, ${draw(5)})`,
    'GREATEST(pay, kids)',
    'NULLIF(kids, 2)',
    'age * 1.25',
    'kids % 2',
  ])

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
  const x = draw(3) === 0 ? ofSeveral(draw) : pick(draw, numeric)
  const one = pick(draw, ['VARIANCE', 'VAR_SAMP', 'VAR_POP', 'STDDEV', 'STDDEV_SAMP', 'STDDEV_POP', 'AVG', 'AVG'])
  switch (draw(6)) {
    case 0:
      return `${one}(${x})${filter}`
    case 1:
      return `${pick(draw, ['COVAR_POP', 'COVAR_SAMP'])}(${x}, ${draw(4) === 0 ? ofSeveral(draw) : pick(draw, numeric)})${filter}`
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
  pick(draw, [
    'age',
    'age // 3',
    'floor(age / 4.0) * 4',
    'age % 3',
    'age // 2 * 2',
    'COALESCE(age, -9)',
    'abs(age)',
    "CASE WHEN age < 2 THEN 'low' WHEN age < 5 THEN 'mid' END",
  ]),
  pick(draw, ['pay', 'floor(pay)', 'pay * 2', 'ceil(pay / 0.75)']),
  pick(draw, ['"State"', 'STATE', 'upper("State")', 'left("State", 1)', '"State" LIKE \'N%\'', 'length("State")']),
  pick(draw, ['sex', 'lower(sex)']),
  'member',
  pick(draw, [
    'CELL_born',
    "date_trunc('year', born)",
    'extract(month FROM born)',
    "date_part('year', born)",
    "date_trunc('quarter', born)",
  ]),
  pick(draw, ['seen', 'extract(day FROM seen)', "date_trunc('month', seen)", 'extract(dow FROM seen)', 'seen + 2']),
  'kids',
  pick(draw, ['CELL_rent', 'CELL_size', 'floor(size)', 'floor(2 * size) / 2']),
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

/** What looks at other groups. Groups without records, which only we have, add nothing and rank below all others. */
function overGroups(draw: Draw, aliases: readonly string[]): string {
  const by = aliases.map((alias) => `${alias}${pick(draw, ['', ' DESC'])}`).join(', ')
  const total = `SUM(${exactAggregate(draw)}) OVER `
  switch (draw(5)) {
    case 0:
      return `${total}()`
    case 1:
      return `${total}(PARTITION BY ${aliases[0]})`
    case 2:
      return `${total}(ORDER BY ${by})`
    case 3:
      return `${pick(draw, ['RANK', 'DENSE_RANK'])}() OVER (ORDER BY COUNT(*) DESC)`
    default:
      return `100.0 * COUNT(*) / ${total.replace(/SUM\(.*\)/, 'SUM(COUNT(*))')}()`
  }
}

/** Keys that look at several attributes, or at one that another key looks at. */
const mergedKeys = (draw: Draw): string[] =>
  pick(draw, [
    ['"State" || sex'],
    ['age + kids', 'sex'],
    ['age', 'age // 3'],
    ['CASE WHEN age > 3 OR member THEN 1 ELSE 2 END'],
    ['kids % 2', 'kids > 2', 'sex'],
  ])

/** Statements about groups whose rows are made of finer ones, and about other rows: no HAVING, which windows would see. */
export function sampleOfGroups(draw: Draw): Sample {
  const isMerged = draw(2) === 0
  const grouped = isMerged ? mergedKeys(draw) : keys(draw).filter(() => draw(4) === 0)
  const chosen = grouped.length > 0 ? grouped.slice(0, 3) : ['sex']
  const aliases = chosen.map((_, i) => `k${i}`)
  const filter = draw(3) === 0 ? ` WHERE ${where(draw, 2)}` : ''
  const isTotalled = draw(4) === 0
  const whole = filter === '' ? [`${exactAggregate(draw)} * 1.0 / (SELECT COUNT(*) FROM people)`] : []
  const windows = isTotalled ? [] : [overGroups(draw, chosen), ...whole]
  const list = [...chosen.map((key, i) => `${key} AS ${aliases[i]}`), arithmetic(draw, 1), ...windows, 'COUNT(*) AS n']
  const group = isTotalled ? `${pick(draw, ['ROLLUP', 'CUBE'])} (${chosen.join(', ')})` : chosen.join(', ')
  const inner = `SELECT ${list.join(', ')} FROM people${filter} GROUP BY ${group}`
  const isNested = !isTotalled && draw(3) === 0
  const text = isNested ? `SELECT * FROM (${inner}) AS t WHERE n ${comparison(draw)} ${1 + draw(5)}` : inner
  const { ours, duckdb } = columnsOfCells(dialects(text))
  return { ours: ours.replaceAll('COALESCE_SUM', 'SUM'), duckdb: sumsOfNoneAreZero(duckdb), ordered: false }
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
  const { ours, duckdb } = columnsOfCells(
    dialects(`SELECT ${list.join(', ')} FROM people${filter}${group}${having}${order}`),
  )
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
