import { type Attribute, type DateAttribute, dateOrdinal, label } from '../../schema/index.ts'
import { field } from '../csv.ts'

/** How rows become text. */
export interface Writing {
  /** Uniform on [0, 1): for what a code leaves open. */
  readonly random: () => number
  /** Dates as the policy says that they are written in the source, or as YYYY-MM-DD. */
  readonly dates: 'as-in-source' | 'iso'
}

/**
 * What a synthetic table says for a code, as it stands in a CSV file: the value itself. Of a date that is known by month
 * or year, any day of it, all equally likely.
 */
export function fieldsOf(attribute: Attribute, writing: Writing): (code: number) => string {
  if (attribute.kind === 'date') return datesOf(attribute, writing)
  return remembered((code) => field(label(attribute, code)))
}

const dayOf = (iso: string): number => dateOrdinal(iso, 'day')
const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The first and the last month or year may be cut: no day lies outside of the attribute's bounds. */
function datesOf(attribute: DateAttribute, { random, dates }: Writing): (code: number) => string {
  const [from, to] = [dayOf(attribute.from), dayOf(attribute.to)]
  const days = remembered((code): readonly [begin: number, count: number] | null => {
    const first = label(attribute, code)
    if (first === null) return null
    const begin = Math.max(from, dayOf(first))
    return [begin, Math.min(to, dayOf(nextAfter(first, attribute.by)) - 1) - begin + 1]
  })
  const text = remembered((day) => (dates === 'iso' ? isoOf(day) : field(written(isoOf(day), attribute.format))))
  return (code) => {
    const known = days(code)
    return known === null ? '' : text(known[0] + Math.floor(random() * known[1]))
  }
}

/** Found once for each number: dates are slow to put together. */
function remembered<T>(find: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)!
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
