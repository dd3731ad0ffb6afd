import { attribute } from '../../../schema/index.ts'
import { type Column, valueSql } from '../duckdb/encode.ts'
import { records } from '../duckdb/relation.ts'
import type { Look } from './open.ts'

/** What a column holds. For the source's owner alone. */
export interface ColumnReport {
  readonly name: string
  readonly type: string
  readonly nulls: number
  /** Estimated beyond `mostListed`. */
  readonly distinct: number
  /** All its values as texts, in order, where they are few. */
  readonly values?: readonly string[]
  /** Smallest and largest, where every value is a number. */
  readonly range?: readonly [number, number]
  readonly whole: boolean
  /** Smallest and largest day and how days are written, where every value is a date. */
  readonly days?: { readonly from: string; readonly to: string; readonly format: string }
  readonly truth: boolean
}

export const mostListed = 100
const formats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY/MM/DD', 'DD-MM-YYYY', 'YYYYMMDD']
const isText = (type: string) => type === 'VARCHAR'
const isTime = (type: string) => /^(DATE$|TIMESTAMP)/.test(type)

export async function columnReport(name: string, column: Column, l: Look): Promise<ColumnReport> {
  const { sql, type } = column
  const {
    nulls = 0,
    rows = 0,
    many = 0,
  } = await l.numbers(
    { nulls: `count(*) FILTER (WHERE ${sql} IS NULL)`, rows: 'count(*)', many: `approx_count_distinct(${sql})` },
    records,
  )
  const some = `SELECT DISTINCT CAST(${sql} AS VARCHAR) AS v FROM ${records} WHERE ${sql} IS NOT NULL LIMIT ${mostListed + 1}`
  const listed = (await l.connection.runAndReadAll(some)).getRowsJS().map(([v]) => String(v))
  const few = listed.length <= mostListed
  const there = rows - nulls
  return {
    name,
    type,
    nulls,
    distinct: few ? listed.length : Math.max(many, mostListed + 1),
    ...(few && { values: listed.sort() }),
    ...(there > 0 && (await numberRange(column, l, there))),
    ...(there > 0 && { days: await days(column, l, there) }),
    truth: there > 0 && (type === 'BOOLEAN' || (await every(booleanSql(column), l, there))),
  } as ColumnReport
}

const every = async (expression: string, l: Look, there: number) =>
  (await l.numbers({ n: `count(${expression})` }, records)).n === there

const booleanSql = (column: Column) => valueSql(attribute({ kind: 'boolean', name: '', closed: true }), column)

/** A value that is no number makes the column no column of numbers. */
async function numberRange({ sql, type }: Column, l: Look, there: number) {
  if (isTime(type) || type === 'BOOLEAN') return { whole: false }
  const value = `nullif(try_cast(CAST(${sql} AS VARCHAR) AS DOUBLE), 'NaN'::DOUBLE)`
  const finite = `CASE WHEN isfinite(${value}) THEN ${value} END`
  // 007 and 12345-6789 are names made of digits.
  const padded = isText(type) ? `count(*) FILTER (WHERE regexp_matches(${sql}, '^\\s*[+-]?0[0-9]'))` : '0'
  const { n, padding, low, high, whole } = await l.numbers(
    {
      n: `count(${value})`,
      padding: padded,
      low: `min(${finite})`,
      high: `max(${finite})`,
      whole: `count(*) FILTER (WHERE ${finite} <> trunc(${finite}))`,
    },
    records,
  )
  return n === there && padding === 0 ? { range: [low, high], whole: whole === 0 } : { whole: false }
}

async function days(column: Column, l: Look, there: number): Promise<ColumnReport['days']> {
  if (!isText(column.type) && !isTime(column.type)) return undefined
  for (const format of isTime(column.type) ? formats.slice(0, 1) : formats) {
    const by = (unit: 'day', from: string, to: string) =>
      valueSql(attribute({ kind: 'date', name: '', from, to, by: unit, format, closed: true }), column)
    const ordinal = by('day', '0001-01-01', '9999-12-31')
    if (!(await every(ordinal, l, there))) continue
    const bounds = await l.connection.runAndReadAll(
      `SELECT CAST(DATE '0001-01-01' + min(${ordinal})::INTEGER AS VARCHAR), CAST(DATE '0001-01-01' + max(${ordinal})::INTEGER AS VARCHAR) FROM ${records}`,
    )
    const [from, to] = bounds.getRowsJS()[0] as [string, string]
    return { from, to, format }
  }
  return undefined
}
