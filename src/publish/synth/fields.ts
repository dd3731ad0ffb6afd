import { type Attribute, type DateAttribute, dateOrdinal, label } from '../../schema/index.ts'
import { field } from '../csv.ts'

/** How rows become text. */
export interface Writing {
  /** Uniform on [0, 1): for what a code leaves open. */
  readonly random: () => number
  /** Dates as the policy says that they are written in the source, or as YYYY-MM-DD. */
  readonly dates: 'as-in-source' | 'iso'
}

/** More values than this are not remembered: what is written of each is found again. */
const mostRemembered = 1 << 16

/**
 * What a synthetic table says for a code, as it stands in a CSV file: the value itself. Of a date that is known by month
 * or year, any day of it, all equally likely.
 */
export function fieldsOf(attribute: Attribute, writing: Writing): (code: number) => string {
  if (attribute.kind === 'date') return datesOf(attribute, writing)
  const named = (code: number) => field(label(attribute, code))
  if (attribute.size > mostRemembered) return named
  const known = Array.from({ length: attribute.size }, (_, code) => named(code))
  return (code) => known[code]!
}

const dayOf = (iso: string): number => dateOrdinal(iso, 'day')
const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The first and the last month or year may be cut: no day lies outside of the attribute's bounds. */
function datesOf(attribute: DateAttribute, { random, dates }: Writing): (code: number) => string {
  const [from, to] = [dayOf(attribute.from), dayOf(attribute.to)]
  return (code) => {
    const first = label(attribute, code)
    if (first === null) return ''
    const begin = Math.max(from, dayOf(first))
    const end = Math.min(to, dayOf(nextAfter(first, attribute.by)) - 1)
    const iso = isoOf(begin + Math.floor(random() * (end - begin + 1)))
    return dates === 'iso' ? iso : field(written(iso, attribute.format))
  }
}

/** The first day of the next day, month or year. */
function nextAfter(first: string, by: DateAttribute['by']): string {
  if (by === 'day') return isoOf(dayOf(first) + 1)
  const [year, month] = first.split('-').map(Number) as [number, number]
  const [nextYear, nextMonth] = by === 'year' || month === 12 ? [year + 1, 1] : [year, month + 1]
  return isoOf(Date.UTC(nextYear, nextMonth - 1) / 86_400_000)
}

const written = (iso: string, format: string): string => {
  const [year, month, day] = iso.split('-') as [string, string, string]
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day)
}
