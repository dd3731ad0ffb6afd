import type { Column, ColumnKind, Dialect } from '../sql/index.ts'
import { cast, quote } from '../sql/index.ts'

const kinds: [RegExp, ColumnKind][] = [
  [/^VARCHAR$/, 'text'],
  [/^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$/, 'integer'],
  [/^(FLOAT|DOUBLE|REAL)$/, 'float'],
  [/^(U?HUGEINT|UBIGINT|DECIMAL\(.*)$/, 'number'],
  [/^BOOLEAN$/, 'boolean'],
  [/^DATE$/, 'date'],
  [/^TIMESTAMP/, 'time'],
]
/** What a type of DuckDB's is to us. */
export const kindOf = (type: string): ColumnKind =>
  (!type.endsWith(']') && kinds.find(([pattern]) => pattern.test(type))?.[1]) || 'other'

/** Up to here a list is searched from its start (and once per dictionary entry); beyond, a hash table is built. */
const longestList = 64

function text({ sql, type, kind }: Column): string {
  if (kind === 'text') return sql
  const plain = `try_cast(${sql} AS VARCHAR)`
  // DuckDB fails on the first day of this type, 1677-09-21, and even try_cast does.
  if (type === 'TIMESTAMP_NS') return `coalesce(TRY(${plain}), try_cast(try_cast(${sql} AS TIMESTAMP) AS VARCHAR))`
  if (kind !== 'float') return plain
  return `CASE WHEN abs(${sql}) < 1e15 AND ${sql} = trunc(${sql}) THEN try_cast(try_cast(${sql} AS BIGINT) AS VARCHAR) ELSE ${plain} END`
}

function number(column: Column): string {
  const { sql, kind } = column
  if (kind === 'date' || kind === 'time') return 'NULL::DOUBLE'
  // Through its shortest text: the 32 bits of 0.7 are below the double 0.7, and people mean 0.7.
  if (column.type === 'FLOAT' || column.type === 'REAL') return `try_cast(try_cast(${sql} AS VARCHAR) AS DOUBLE)`
  if (kind !== 'text' && kind !== 'other') return `try_cast(${sql} AS DOUBLE)`
  const t = text(column)
  // DuckDB alone reads 1_000 and +-5.
  return `CASE WHEN contains(${t}, '_') OR contains(${t}, '+-') THEN NULL ELSE try_cast(${t} AS DOUBLE) END`
}

function date(column: Column, format: string): string {
  if (column.kind === 'date') return column.sql
  if (column.kind === 'time') return `try_cast(try_cast(${column.sql} AS TIMESTAMP) AS DATE)`
  const pattern = quote(format.replaceAll('%', '%%').replace('YYYY', '%Y').replace('MM', '%m').replace('DD', '%d'))
  const t = text(column)
  const parsed = `try_strptime(${t}, ${pattern})`
  // Written back, it must be the same text: strptime alone is lenient.
  return `CASE WHEN strftime(${parsed}, ${pattern}) = ${t} THEN ${parsed}::DATE END`
}

/** DuckDB's words. */
export const duckdb: Dialect = {
  text,
  number,
  date,
  real: (value) => `(${quote(String(value))}::DOUBLE)`,
  withoutNaN: (value) => `nullif(${value}, 'NaN'::DOUBLE)`,
  position: (t, list) =>
    list.length <= longestList
      ? `(list_position([${list.map(quote).join(', ')}], ${t}) - 1)`
      : `enum_code(try_cast(${t} AS ENUM(${list.map(quote).join(', ')})))`,
  element: (list, place) => `([${list.join(', ')}]::BIGINT[])[${place}::BIGINT + 1]`,
  daysBetween: (from, to) => `${to} - ${from}`,
  codeType: (size) => (size <= 1 << 8 ? 'UTINYINT' : size <= 1 << 16 ? 'USMALLINT' : 'UINTEGER'),
  flag: (condition) => cast(condition, 'UTINYINT'),
  sum: (value, filter, wide) => cast(`coalesce(sum(${value})${filter}, 0)`, wide ? 'HUGEINT' : 'DOUBLE'),
  // A UUID sorts as its digits do, in a quarter of the memory of the hash's text.
  hash: (t) => `left(sha256(${t}), 32)::UUID`,
  matches: (t, pattern) => `regexp_matches(${t}, ${quote(pattern)})`,
  distinct: (value) => `approx_count_distinct(${value})`,
}
