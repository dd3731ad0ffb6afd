import { add, fromNumber, multiply, subtract } from '../../numeric/index.ts'
import {
  type Attribute,
  type BinsAttribute,
  binEdge,
  type DateAttribute,
  dateOrdinal,
  daysAt,
  decimalText,
  label,
  nullCode,
} from '../../schema/index.ts'
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
 * or year, any day of it, and of a bin any of a thousand values, all equally likely; or the value that the owner states for it.
 */
export function fieldsOf(attribute: Attribute, writing: Writing): (code: number) => string {
  if (attribute.kind === 'date') return datesOf(attribute, writing)
  if (attribute.kind === 'bins') return numbersOf(attribute, writing)
  return remembered((code) => field(label(attribute, code)))
}

/** The middles of a thousand even parts, so that their mean is the bin's middle. */
const parts = 1000

function numbersOf(attribute: BinsAttribute, { random }: Writing): (code: number) => string {
  const width = (code: number) => subtract(binEdge(attribute, code + 1), binEdge(attribute, code))
  const between = (code: number, share: number) =>
    decimalText(add(binEdge(attribute, code), multiply(width(code), fromNumber(share))))
  return (code) => {
    if (code === nullCode(attribute)) return ''
    const stated = attribute.stated[code]
    return stated ? decimalText(stated) : between(code, (Math.floor(random() * parts) + 0.5) / parts)
  }
}

const dayOf = (iso: string): number => dateOrdinal(iso, 'day')
const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

function datesOf(attribute: DateAttribute, { random, dates }: Writing): (code: number) => string {
  const days = remembered((code): readonly [begin: number, count: number] | null => {
    if (code === nullCode(attribute)) return null
    const [first, last] = daysAt(attribute, code).map(dayOf) as [number, number]
    return [first, last - first + 1]
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

const written = (iso: string, format: string): string => {
  const [year, month, day] = iso.split('-') as [string, string, string]
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day)
}
