import type { Column, ColumnKind, Dialect } from '../sql/index.ts'
import { cast, name, quote } from '../sql/index.ts'

const kinds: [RegExp, ColumnKind][] = [
  [/^(text|character|name|citext)\b/, 'text'],
  [/^(smallint|integer|bigint)$/, 'integer'],
  // Doubles are among the numbers: as they are stored, arithmetic on them may overflow, which PostgreSQL does not forgive.
  [/^(numeric|double precision)/, 'number'],
  [/^real$/, 'float'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp/, 'time'],
]

/**
 * A column of PostgreSQL's. Texts, and whatever else has no kind of its own, are compared byte by byte: what a collation
 * takes for equal or sorts before something else makes no difference.
 */
export function columnOf(named: string, type: string): Column {
  const kind = (!type.endsWith('[]') && kinds.find(([pattern]) => pattern.test(type))?.[1]) || 'other'
  const isText = kind === 'text' || kind === 'other'
  const sql = isText ? `(${cast(name(named), 'text')} COLLATE "C")` : name(named)
  const identity = kind === 'other' && !incomparable.test(type) ? { identity: name(named) } : {}
  return { sql, type, kind, groupedFirst: isText, ...identity }
}

/** Types whose values PostgreSQL itself cannot group. */
const incomparable = /^(json|xml|point|line|lseg|box|path|polygon|circle)(\[\])?$/

/** Numbers beyond are infinite to us, and closer to 0 as good as this one: no sum or quotient of theirs can overflow. */
const [huge, tiny] = ['1e200', '1e-200']
const float8 = (text: string) => `float8 '${text}'`

/** A number of any size as a double. PostgreSQL fails where a cast or a quotient over- or underflows. */
const bounded = (x: string, zero: string) =>
  `CASE WHEN ${x} = 'NaN' THEN ${float8('NaN')} WHEN ${x} > ${huge} THEN ${float8('Infinity')} WHEN ${x} < -${huge} THEN ${float8('-Infinity')}
    WHEN ${x} > ${zero} AND ${x} < ${tiny} THEN ${float8(tiny)} WHEN ${x} < ${zero} AND ${x} > -${tiny} THEN ${float8(`-${tiny}`)}
    ELSE ${cast(x, 'float8')} END`

const space = '[ \\t\\n\\v\\f\\r]*'
const pattern = (middle: string) => quote(`^${space}${middle}${space}$`)
const isMinus = (t: string) => `${t} ~ ${quote(`^${space}-`)}`
const digits = '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)'
/** With so small an exponent no cast to a double can overflow; with one of three digits none to a numeric, if the text is short. */
const small = pattern(`${digits}([eE][+-]?[0-9]{1,2})?`)
const large = pattern(`${digits}([eE][+-]?0*[0-9]{1,3})?`)
const any = pattern(`${digits}([eE][+-]?[0-9]+)?`)
const infinite = pattern('[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?')

function numberOfText(t: string): string {
  const signed = (size: string) => `CASE WHEN ${isMinus(t)} THEN ${float8(`-${size}`)} ELSE ${float8(size)} END`
  return `CASE WHEN ${t} IS NULL THEN NULL WHEN length(${t}) < 99 AND ${t} ~ ${small} THEN ${cast(t, 'float8')}
    WHEN ${t} ~ ${infinite} THEN ${signed('Infinity')}
    WHEN length(${t}) < 9999 AND ${t} ~ ${large} THEN ${bounded(cast(t, 'numeric'), '0')}
    WHEN ${t} !~ ${any} THEN NULL WHEN ${t} !~ '^[^eE]*[1-9]' THEN ${float8('0')}
    WHEN ${t} ~ '[eE]-' THEN ${signed(tiny)} ELSE ${signed('Infinity')} END`
}

function number(column: Column): string {
  const { sql, kind, type } = column
  if (kind === 'date' || kind === 'time') return 'NULL::float8'
  if (kind === 'boolean') return `CASE WHEN ${sql} THEN ${float8('1')} WHEN NOT ${sql} THEN ${float8('0')} END`
  // Through its shortest text: the 32 bits of 0.7 are below the double 0.7, and people mean 0.7.
  if (kind === 'float') return cast(cast(sql, 'text'), 'float8')
  // So few digits fit.
  if (/^numeric\(\d{1,2},\d{1,2}\)$/.test(type)) return cast(sql, 'float8')
  if (kind === 'number') return bounded(sql, type === 'double precision' ? float8('0') : '0')
  return kind === 'integer' ? cast(sql, 'float8') : numberOfText(sql)
}

function text({ sql, kind, type }: Column): string {
  if (kind === 'text' || kind === 'other') return sql
  const plain = `(${cast(sql, 'text')} COLLATE "C")`
  if (kind !== 'float' && type !== 'double precision') return plain
  return `CASE WHEN abs(${sql}) < 1e15 AND ${sql} = trunc(${cast(sql, 'float8')}) THEN ${cast(cast(sql, 'bigint'), 'text')} ELSE ${plain} END`
}

/** A text is cut where its format says and each part looked at: to_date() fails on a day that never was. */
function date(column: Column, format: string): string {
  const { sql, kind, type } = column
  if (kind === 'date') return sql
  if (kind === 'time') return cast(type.endsWith('with time zone') ? `${sql} AT TIME ZONE 'UTC'` : sql, 'date')
  const t = text(column)
  const digits = format
    .replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
    .replace('YYYY', '[0-9]{4}')
    .replace('MM', '[0-9]{2}')
    .replace('DD', '[0-9]{2}')
  const part = (word: string) =>
    format.includes(word)
      ? cast(`substr(${t}, ${[...format.slice(0, format.indexOf(word))].length + 1}, ${word.length})`, 'integer')
      : '1'
  const [year, month, day] = [part('YYYY'), part('MM'), part('DD')]
  const isLeap = `${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0)`
  const last = `CASE WHEN ${month} IN (4, 6, 9, 11) THEN 30 WHEN ${month} <> 2 THEN 31 WHEN ${isLeap} THEN 29 ELSE 28 END`
  // There is no year 0: the year before 1 is -1.
  const made = `make_date(coalesce(nullif(${year}, 0), -1), ${month}, ${day})`
  return `CASE WHEN ${t} ~ ${quote(`^${digits}$`)} THEN CASE WHEN ${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND ${last} THEN ${made} END END`
}

/** Up to here a list is searched from its start; a longer one by halves, as the keys of an object. */
const longestList = 40

/** PostgreSQL's words. */
export const postgres: Dialect = {
  text,
  number,
  date,
  real: (value) => `(${float8(String(value))})`,
  withoutNaN: (value) => `nullif(${value}, ${float8('NaN')})`,
  position: (t, list) =>
    list.length <= longestList
      ? `(array_position(ARRAY[${list.map(quote).join(', ')}]::text[], ${t}) - 1)`
      : cast(`jsonb ${quote(JSON.stringify(Object.fromEntries(list.map((v, i) => [v, i]))))} ->> ${t}`, 'integer'),
  element: (list, place) => `('{${list.join()}}'::bigint[])[${place} + 1]`,
  daysBetween: (from, to) => `${to} - ${from}`,
  codeType: (size) => (size <= 1 << 15 ? 'smallint' : 'integer'),
  flag: (condition) => cast(condition, 'integer'),
  sum: (value, filter, wide) => cast(`coalesce(sum(${value})${filter}, 0)`, wide ? 'numeric' : 'float8'),
  hash: (t) => `substr(sha256(convert_to(${t}, 'UTF8')), 1, 16)`,
  matches: (t, pattern) => `${t} ~ ${quote(pattern)}`,
  bind: (value, use) => `(SELECT ${use('bound')} FROM (SELECT ${value} AS bound OFFSET 0) AS bindings)`,
  once: ' OFFSET 0',
  distinct: (value) => `count(DISTINCT ${value})`,
}
