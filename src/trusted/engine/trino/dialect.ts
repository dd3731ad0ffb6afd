import type { Column, ColumnKind, Dialect } from '../sql/index.ts'
import { cast, double, quote, unreadable } from '../sql/index.ts'

const kinds: [RegExp, ColumnKind][] = [
  [/^(varchar|char)\b/, 'text'],
  [/^(tinyint|smallint|integer|bigint)$/, 'integer'],
  [/^(real|double)$/, 'float'],
  [/^decimal\b/, 'number'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp\b/, 'time'],
]
/** What a type of Trino's is to us. */
export const kindOf = (type: string): ColumnKind => kinds.find(([pattern]) => pattern.test(type))?.[1] ?? 'other'

/** Types of another kind that have a text of their own, intervals in capital letters; arrays, maps, rows and bytes have none. */
const written = /^(uuid|ipaddress|json|time\b|interval\b)/i
export const isReadable = (type: string): boolean => kindOf(type) !== 'other' || written.test(type)

const padded = /^char\b/

/** Different values have different texts, down to the last bit. */
export const fullText = ({ sql, type, kind }: Column): string =>
  kind === 'text' && !padded.test(type) ? sql : cast(sql, 'VARCHAR')

function text(column: Column): string {
  const { sql, type, kind } = column
  if (column.unreadable)
    throw unreadable(`the column ${sql} has the type ${type}, which cannot be read`, 'Convert it in an `sql:`.')
  // What fills up a char(n) is not part of the value.
  if (padded.test(type)) return `rtrim(${fullText(column)}, ' ')`
  if (kind !== 'float') return fullText(column)
  // Trino writes 5.0E-1, people 0.5; its JSON writes as they do where numbers are neither large nor small.
  return `CASE WHEN abs(${sql}) < 1e15 AND ${sql} = truncate(${sql}) THEN ${cast(cast(sql, 'BIGINT'), 'VARCHAR')}
    WHEN abs(${sql}) < 1e7 AND abs(${sql}) >= 1e-3 THEN json_format(${cast(sql, 'JSON')}) ELSE ${cast(sql, 'VARCHAR')} END`
}

/** White space, digit by digit: what `\s` and `\d` match depends on the server's library. */
const space = '[\\x09-\\x0D\\x20]*'
const numberText = `^${space}[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?${space}$`
const infinityText = `^${space}[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?${space}$`

function number(column: Column): string {
  const { sql, type, kind } = column
  if (kind === 'date' || kind === 'time') return 'CAST(NULL AS DOUBLE)'
  // Through its shortest text: the 32 bits of 0.7 are below the double 0.7, and people mean 0.7.
  if (type === 'real') return double(cast(sql, 'VARCHAR'))
  if (kind !== 'text' && kind !== 'other') return double(sql)
  const t = text(column)
  // Java alone reads 1d and 0x1p3.
  return `CASE WHEN regexp_like(${t}, ${quote(numberText)}) THEN try_cast(${t} AS DOUBLE)
    WHEN regexp_like(${t}, ${quote(infinityText)}) THEN CASE WHEN strpos(${t}, '-') > 0 THEN -infinity() ELSE infinity() END END`
}

function date(column: Column, format: string): string {
  const { sql, type, kind } = column
  if (kind === 'date') return sql
  if (kind === 'time') return cast(/with time zone$/.test(type) ? `(${sql} AT TIME ZONE 'UTC')` : sql, 'DATE')
  const t = text(column)
  const pattern = format
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/YYYY|MM|DD/g, (part) => `[0-9]{${part.length}}`)
  const part = (letters: string, otherwise: string) => {
    const at = [...format.slice(0, Math.max(0, format.indexOf(letters)))].length
    return format.includes(letters) ? `substr(${t}, ${at + 1}, ${letters.length})` : quote(otherwise)
  }
  const iso = [part('YYYY', '0001'), part('MM', '01'), part('DD', '01')].join(" || '-' || ")
  // The length too: $ matches before a newline at the end.
  return `CASE WHEN length(${t}) = ${[...format].length} AND regexp_like(${t}, ${quote(`^${pattern}$`)}) THEN try_cast(${iso} AS DATE) END`
}

/** Constants come as JSON: an array that is written out may have 254 elements. */
const json = (value: unknown, type: string) => cast(`JSON ${quote(JSON.stringify(value))}`, type)

/** Trino's words. */
export const trino: Dialect = {
  text,
  number,
  date,
  real: (value) => `DOUBLE ${quote(String(value))}`,
  withoutNaN: (value) => `CASE WHEN NOT is_nan(${value}) THEN ${value} END`,
  position: (t, list) => {
    const places = Object.fromEntries(list.map((value, place) => [value, place]))
    return `element_at(${json(places, 'MAP(VARCHAR, BIGINT)')}, ${t})`
  },
  element: (list, place) => `element_at(${json(list, 'ARRAY(BIGINT)')}, ${cast(place, 'BIGINT')} + 1)`,
  daysBetween: (from, to) => `date_diff('day', ${from}, ${to})`,
  codeType: (size) => (size <= 1 << 7 ? 'TINYINT' : size <= 1 << 15 ? 'SMALLINT' : 'INTEGER'),
  flag: (condition) => cast(condition, 'INTEGER'),
  // A sum of 64-bit integers fails beyond 64 bits, one of decimals beyond 38 digits.
  sum: (value, filter, wide) =>
    wide
      ? cast(`coalesce(sum(${cast(value, 'DECIMAL(38, 0)')})${filter}, 0)`, 'DECIMAL(38, 0)')
      : double(`coalesce(sum(${value})${filter}, 0)`),
  hash: (t) => `substr(sha256(to_utf8(${t})), 1, 16)`,
  matches: (t, pattern) => `regexp_like(${t}, ${quote(pattern)})`,
  distinct: (value) => `approx_distinct(${value})`,
}
