import { toNumber } from '../../../numeric/index.ts'
import {
  type Attribute,
  type DateAttribute,
  dateOrdinal,
  otherCode,
  type ValuesAttribute,
} from '../../../schema/index.ts'
import { codeType, quote } from './sql.ts'

/** A column of the source: an SQL expression for it and DuckDB's name of its type. */
export interface Column {
  readonly sql: string
  readonly type: string
}

/**
 * Near a tie between two grid points, this fraction of a step counts as the tie and goes up: doubles cannot tell 0.15
 * from the tie between 0.1 and 0.2, people can.
 */
const tie = 1e-6
/** Up to here a list is searched from its start (and once per dictionary entry); beyond, a hash table is built. */
const longestList = 64

const isNumber = (type: string) =>
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|REAL)$/.test(type) || type.startsWith('DECIMAL(')
/** Integers that fit 64 bits with their sign. */
const isSmallInteger = (type: string) => /^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$/.test(type)
const isFloat = (type: string) => /^(FLOAT|DOUBLE|REAL)$/.test(type)
const isTime = (type: string) => /^(DATE$|TIMESTAMP)/.test(type)

/** The value's text: whole doubles are written as integers are, since 1 stored as 1.0 is still 1. */
function text({ sql, type }: Column): string {
  if (type === 'VARCHAR') return sql
  const plain = `try_cast(${sql} AS VARCHAR)`
  // DuckDB fails on the first day of this type, 1677-09-21, and even try_cast does.
  if (type === 'TIMESTAMP_NS') return `coalesce(TRY(${plain}), try_cast(try_cast(${sql} AS TIMESTAMP) AS VARCHAR))`
  if (!isFloat(type)) return plain
  return `CASE WHEN abs(${sql}) < 1e15 AND ${sql} = trunc(${sql}) THEN try_cast(try_cast(${sql} AS BIGINT) AS VARCHAR) ELSE ${plain} END`
}

/** The value as a double; NULL for whatever is no number. */
function double(column: Column): string {
  const { sql, type } = column
  if (isNumber(type) || type === 'BOOLEAN') return `try_cast(${sql} AS DOUBLE)`
  if (isTime(type)) return 'NULL::DOUBLE'
  const t = text(column)
  // DuckDB alone reads 1_000 and +-5.
  return `CASE WHEN contains(${t}, '_') OR contains(${t}, '+-') THEN NULL ELSE try_cast(${t} AS DOUBLE) END`
}

/** Position on the grid low + i·step, clamped, halves up; NULL for no number. */
function grid(column: Column, low: number, step: number, count: number): string {
  // In 64 bits: literals would take the column's own type, where the difference may overflow.
  if (isSmallInteger(column.type) && step === 1)
    return `${clamp(`${column.sql}::BIGINT`, low, low + count - 1)} - (${low})`
  const steps = `((${double(column)}) - ${real(low)}) / ${real(step)}`
  // NaN is DuckDB's largest number, so it must leave before the clamping.
  const finite = `nullif(${steps}, 'NaN'::DOUBLE)`
  return `floor(${clamp(finite, real(0), real(count - 1))} + ${real(0.5 + tie)})`
}
/** DuckDB's own least and greatest pass over NULL. */
const clamp = (value: string, low: string | number, high: string | number) =>
  `CASE WHEN ${value} < ${low} THEN ${low} WHEN ${value} > ${high} THEN ${high} ELSE ${value} END`
const real = (value: number) => `(${quote(String(value))}::DOUBLE)`

const yes = ['true', 't', 'yes', 'y', '1']
const no = ['false', 'f', 'no', 'n', '0']
const list = (values: readonly string[]) => `[${values.map(quote).join(', ')}]`

function truth(column: Column): string {
  if (column.type === 'BOOLEAN') return `${column.sql}::TINYINT`
  const t = `lower(${text(column)})`
  return `CASE WHEN list_contains(${list(yes)}, ${t}) THEN 1 WHEN list_contains(${list(no)}, ${t}) THEN 0 END`
}

/** The listed value's code, `other` for an unlisted one where there is that code; NULL otherwise. */
function listed(column: Column, a: ValuesAttribute): string {
  const t = text(column)
  const found =
    a.values.length <= longestList
      ? `list_position(${list(a.values)}, ${t}) - 1`
      : `enum_code(try_cast(${t} AS ENUM(${a.values.map(quote).join(', ')})))`
  return a.other ? `CASE WHEN ${t} IS NOT NULL THEN coalesce(${found}, ${otherCode(a)}) END` : found
}

/** The date, from a native one or from text that is written exactly as the format says; NULL otherwise. */
function date(column: Column, format: string): string {
  if (column.type === 'DATE') return column.sql
  if (isTime(column.type)) return `try_cast(try_cast(${column.sql} AS TIMESTAMP) AS DATE)`
  const pattern = quote(format.replaceAll('%', '%%').replace('YYYY', '%Y').replace('MM', '%m').replace('DD', '%d'))
  const t = text(column)
  const parsed = `try_strptime(${t}, ${pattern})`
  // Written back, it must be the same text: strptime alone is lenient.
  return `CASE WHEN strftime(${parsed}, ${pattern}) = ${t} THEN ${parsed}::DATE END`
}

function ordinal(column: Column, a: DateAttribute): string {
  const clamped = `(${clamp(date(column, a.format), `DATE '${a.from}'`, `DATE '${a.to}'`)})`
  if (a.by === 'day') return `${clamped} - DATE '${a.from}'`
  const first = dateOrdinal(a.from, a.by)
  return a.by === 'year' ? `year(${clamped}) - ${first}` : `year(${clamped}) * 12 + month(${clamped}) - 1 - ${first}`
}

/** The value's code as SQL; NULL where the value is missing, unparsable or unlisted. */
export function valueSql(a: Attribute, column: Column): string {
  switch (a.kind) {
    case 'values':
      return listed(column, a)
    case 'integer':
      return grid(column, a.low, 1, a.high - a.low + 1)
    case 'decimal':
      return grid(column, toNumber(a.low), toNumber(a.step), a.size - (a.closed ? 0 : 1))
    case 'boolean':
      return truth(column)
    case 'date':
      return ordinal(column, a)
  }
}

/** Whether a value will be clamped, as SQL; false for attributes without a range. */
export function outsideSql(a: Attribute, column: Column): string {
  const outside = (value: string, low: string, high: string) =>
    `coalesce(${value} < ${low} OR ${value} > ${high}, false)`
  switch (a.kind) {
    case 'integer':
      return outside(`nullif(${double(column)}, 'NaN'::DOUBLE)`, real(a.low), real(a.high))
    case 'decimal':
      return outside(`nullif(${double(column)}, 'NaN'::DOUBLE)`, real(toNumber(a.low)), real(toNumber(a.high)))
    case 'date':
      return outside(date(column, a.format), `DATE '${a.from}'`, `DATE '${a.to}'`)
    default:
      return 'false'
  }
}

/**
 * The record's code in an attribute as one SQL expression: 0 … size-1 whatever the value is, never NULL, never an error.
 * evaluation/encode.ts is its slow twin.
 */
export const codeSql = (a: Attribute, column: Column): string =>
  `coalesce(${valueSql(a, column)}, ${a.closed ? 0 : a.size - 1})::${codeType(a.size)}`
