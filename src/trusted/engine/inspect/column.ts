import { attribute } from '../../../schema/index.ts'
import { type Column, cast, valueSql } from '../sql/index.ts'
import type { Inspected } from './session.ts'

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
const isTime = ({ kind }: Column) => kind === 'date' || kind === 'time'

export async function columnReport(name: string, column: Column, s: Inspected): Promise<ColumnReport> {
  const { sql, type, kind } = column
  const isThere = `${sql} IS NOT NULL`
  const counts = { there: `count(${sql})`, rows: 'count(*)', many: s.dialect.distinct(sql) }
  const { there = 0, rows = 0, many = 0 } = await s.numbers(counts)
  const listed: string[] = []
  const some = `SELECT DISTINCT ${cast(sql, 'VARCHAR')} AS v FROM ${s.records} WHERE ${isThere} LIMIT ${mostListed + 1}`
  await s.rows(some, (at) => listed.push(String(at(0))))
  const few = listed.length <= mostListed
  return {
    name,
    type,
    nulls: rows - there,
    distinct: few ? listed.length : Math.max(many, mostListed + 1),
    ...(few && { values: listed.sort() }),
    whole: false,
    ...(there > 0 && (await numberRange(column, s, there))),
    ...(there > 0 && { days: await days(column, s, there) }),
    truth: there > 0 && (kind === 'boolean' || (await every(truthSql(column, s), s, there))),
  }
}

const every = async (expression: string, s: Inspected, there: number) =>
  (await s.numbers({ n: `count(${expression})` })).n === there

const truthSql = (column: Column, { dialect }: Inspected) =>
  valueSql(dialect, attribute({ kind: 'boolean', name: '', closed: true }), column)

/** A value that is no number makes the column no column of numbers. */
async function numberRange(column: Column, s: Inspected, there: number) {
  const { sql, kind } = column
  if (isTime(column) || kind === 'boolean') return undefined
  const { dialect: d } = s
  const value = d.withoutNaN(d.number(column))
  const finite = `CASE WHEN abs(${value}) <= ${d.real(Number.MAX_VALUE)} THEN ${value} END`
  // 007 and 12345-6789 are names made of digits.
  const padding = kind === 'text' ? `count(*) FILTER (WHERE ${d.matches(sql, '^\\s*[+-]?0[0-9]')})` : '0'
  const found = await s.numbers({
    n: `count(${value})`,
    padding,
    low: `min(${finite})`,
    high: `max(${finite})`,
    broken: `count(*) FILTER (WHERE ${finite} <> floor(${finite}))`,
  })
  if (found.n !== there || found.padding !== 0) return undefined
  return { range: [found.low!, found.high!] as const, whole: found.broken === 0 }
}

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

async function days(column: Column, s: Inspected, there: number): Promise<ColumnReport['days']> {
  if (column.kind !== 'text' && !isTime(column)) return undefined
  for (const format of isTime(column) ? formats.slice(0, 1) : formats) {
    const a = { kind: 'date', name: '', from: firstDay, to: lastDay, by: 'day', format, closed: true } as const
    const ordinal = valueSql(s.dialect, attribute(a), column)
    const { n, from, to } = await s.numbers({ n: `count(${ordinal})`, from: `min(${ordinal})`, to: `max(${ordinal})` })
    if (n === there) return { from: dayAt(from!), to: dayAt(to!), format }
  }
  return undefined
}

/** The day so many days after the first. */
const dayAt = (ordinal: number) => new Date(Date.parse(firstDay) + ordinal * 86_400_000).toISOString().slice(0, 10)
