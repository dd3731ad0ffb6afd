import { attribute } from '../../../schema/index.ts'
import { type Column, cast, valueSql } from '../sql/index.ts'
import { type DraftedBins, draftBins } from './bins.ts'
import { type NumbersReport, numbersReport } from './numbers.ts'
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
  /** Where every value is a number. */
  readonly numbers?: NumbersReport
  /** Where such numbers are best known by bins. */
  readonly bins?: DraftedBins | undefined
  /** Smallest and largest day and how days are written, where every value is a date; or the text of one, with a time of day behind. */
  readonly days?: { readonly from: string; readonly to: string; readonly format: string; readonly isTimed?: boolean }
  readonly truth: boolean
  /** Whether its values look like numbers with a decimal comma. */
  readonly comma: boolean
  /** Whether the database has no text for its values; nothing else is known then. */
  readonly unreadable?: boolean
}

export const mostListed = 100
const formats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY/MM/DD', 'DD-MM-YYYY', 'YYYYMMDD']
const isTime = ({ kind }: Column) => kind === 'date' || kind === 'time'

export async function columnReport(name: string, column: Column, s: Inspected): Promise<ColumnReport> {
  const { sql, type, kind, unreadable } = column
  if (unreadable) return { name, type, nulls: 0, distinct: 0, truth: false, comma: false, unreadable }
  const isThere = `${sql} IS NOT NULL`
  // Not every type of another kind can be compared; its text can.
  const value = kind === 'other' ? s.dialect.text(column) : sql
  const counts = { there: `count(${sql})`, rows: 'count(*)', many: s.dialect.distinct(value) }
  const { there = 0, rows = 0, many = 0 } = await s.numbers(counts)
  const listed: string[] = []
  const some = `SELECT DISTINCT ${cast(value, 'VARCHAR')} AS v FROM ${s.records} WHERE ${isThere} LIMIT ${mostListed + 1}`
  await s.rows(some, (at) => listed.push(String(at(0))))
  const few = listed.length <= mostListed
  const matching = (pattern: RegExp) =>
    kind === 'text' ? listed.filter((text) => pattern.test(text)).length : listed.length
  const others = few ? 0 : mostOthers
  const isNumeric = there > 0 && matching(numberLike) >= (1 - others) * listed.length
  const numbers = isNumeric ? await numbersReport(column, s, { there, others }) : undefined
  return {
    name,
    type,
    nulls: rows - there,
    distinct: few ? listed.length : Math.max(many, mostListed + 1),
    ...(few && { values: listed.sort() }),
    ...(numbers && { numbers }),
    ...(numbers && isContinuous(numbers) && { bins: await draftBins(column, s, numbers) }),
    ...(there > 0 && { days: (await days(column, s, there, listed)) ?? (await timedDays(column, s, there, listed)) }),
    comma: kind === 'text' && there > 0 && matching(commaLike) >= 0.95 * listed.length,
    truth:
      few &&
      there > 0 &&
      matching(truthLike) === listed.length &&
      (kind === 'boolean' || (await every(truthSql(column, s), s, there))),
  }
}

/** What some values look like says what need not be tried on all: casts that fail are slow. */
const numberLike = /^\s*[+-]?(\d|\.\d|inf|nan)/i
const commaLike = /^\s*[+-]?\d+,\d+\s*$/
const truthLike = /^(true|t|yes|y|1|false|f|no|n|0)$/i

/** Among many different numbers, so large a share may be something else, such as n/a. */
const mostOthers = 0.2

/** More values than this of a grid are drafted as bins. */
const mostOnGrid = 100_000

/** Whether values have no precision of their own, or one that is too fine for their range. */
const isContinuous = ({ low, high, decimals }: NumbersReport): boolean =>
  decimals === undefined || (high - low) * 10 ** decimals > mostOnGrid

const every = async (expression: string, s: Inspected, there: number) =>
  (await s.numbers({ n: `count(${expression})` })).n === there

const truthSql = (column: Column, { dialect }: Inspected) =>
  valueSql(dialect, attribute({ kind: 'boolean', name: '', closed: true }), column)

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

/** The formats that these texts might be written in are few, and only those are tried on all. */
const formatsOf = (texts: readonly string[]) =>
  formats.filter((format) => {
    const pattern = new RegExp(`^${format.replaceAll('.', '\\.').replaceAll(/[YMD]/g, '\\d')}$`)
    return texts.every((text) => pattern.test(text))
  })

async function days(
  column: Column,
  s: Inspected,
  there: number,
  some: readonly string[],
): Promise<ColumnReport['days']> {
  if (column.kind !== 'text' && !isTime(column)) return undefined
  for (const format of isTime(column) ? formats.slice(0, 1) : formatsOf(some)) {
    const a = { kind: 'date', name: '', from: firstDay, to: lastDay, by: 'day', format, closed: true } as const
    const ordinal = valueSql(s.dialect, attribute(a), column)
    const { n, from, to } = await s.numbers({ n: `count(${ordinal})`, from: `min(${ordinal})`, to: `max(${ordinal})` })
    if (n === there) return { from: dayAt(from!), to: dayAt(to!), format }
  }
  return undefined
}

/** Of texts such as 2026-05-01 13:45:00 the day, which is all that a date can be asked about. */
async function timedDays(column: Column, s: Inspected, there: number, some: readonly string[]) {
  if (column.kind !== 'text' || !some.every((text) => timeLike.test(text))) return undefined
  const dayOnly: Column = { ...column, sql: dayPart(column.sql) }
  const texts = some.map((text) => text.slice(0, dayLength))
  const found = await days(dayOnly, s, there, texts)
  return found && { ...found, isTimed: true }
}
const dayLength = 10
const timeLike = /^.{10}[ T]\d\d?:\d\d/
/** The part of such a text that is its day. */
export const dayPart = (text: string): string => `substr(${text}, 1, ${dayLength})`

/** The day so many days after the first. */
const dayAt = (ordinal: number) => new Date(Date.parse(firstDay) + ordinal * 86_400_000).toISOString().slice(0, 10)
