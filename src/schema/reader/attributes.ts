import { compare, divide, type Rational, subtract } from '../../numeric/index.ts'
import { type Attribute, type AttributeDescription, attribute, maxCodes, valueCount } from '../attribute.ts'
import { readBins } from './bins.ts'
import { formatFault, isDay } from './dates.ts'
import type { Entry, Reading } from './reading.ts'
import { onlyOne } from './source.ts'
import { readValues } from './values.ts'

const kinds = ['integer', 'decimal', 'bins', 'values', 'date', 'boolean'] as const
type Kind = (typeof kinds)[number]
const options: { [key: string]: Kind } = { step: 'decimal', width: 'bins', other: 'values', by: 'date', format: 'date' }

/** What one attribute's reader works with. */
interface Place {
  readonly reading: Reading
  readonly name: string
  readonly closed: boolean
  /** The value of the key that says the kind. */
  readonly domain: Entry
  readonly fields: ReadonlyMap<string, Entry>
  readonly folder: string
}
type Reader = (place: Place) => AttributeDescription | undefined | Promise<AttributeDescription | undefined>

const readers: { [K in Kind]: Reader } = {
  integer: ({ reading, name, closed, domain }) => {
    const whole = (r: Rational) => r.den === 1n && Number.isSafeInteger(Number(r.num))
    const bounds = readBounds(reading, domain, 'a whole number', whole)
    if (!bounds) return undefined
    return { kind: 'integer', name, closed, low: Number(bounds[0].num), high: Number(bounds[1].num) }
  },

  decimal: (place) => {
    const { reading, name, closed, domain, fields } = place
    const expected = 'a number below 10^15 with at most 15 decimals'
    const bounds = readBounds(reading, domain, expected, isDecimal)
    if (!fields.has('step'))
      return reading.mistake(
        domain,
        'step is missing: the precision of the data, such as 0.01 (if they have none, use bins: [0, 500], width: 10)',
      )
    const at = fields.get('step')!
    const step = reading.number(at, `${expected}, above 0`, (r) => isDecimal(r) && r.num > 0n)
    if (!bounds || !step) return undefined
    const [low, high] = bounds
    if (divide(subtract(high, low), step).den !== 1n) {
      return reading.mistake(at, 'expected a step that fits a whole number of times between the low and the high bound')
    }
    return { kind: 'decimal', name, closed, low, high, step }
  },

  bins: ({ reading, name, closed, domain, fields }) => {
    const bins = readBins(reading, domain, fields)
    return bins && { ...bins, name, closed }
  },

  values: async ({ reading, name, closed, domain, fields, folder }) => {
    const other = fields.has('other') ? reading.flag(fields.get('other')!) : false
    const values = await readValues(reading, domain, folder)
    if (!values || other === undefined) return undefined
    if (other && values.includes('other')) {
      return reading.mistake(fields.get('other')!, 'a listed value is already called "other"')
    }
    return { kind: 'values', name, closed, values, other }
  },

  date: ({ reading, name, closed, domain, fields }) => {
    const by = fields.has('by') ? reading.word(fields.get('by')!, ['day', 'month', 'year']) : 'day'
    const format = fields.has('format') ? reading.text(fields.get('format')!, 'a format') : 'YYYY-MM-DD'
    const fault = by && format && formatFault(format, by)
    if (fault) reading.mistake(fields.get('format')!, `expected a format such as DD.MM.YYYY: ${fault}`)
    const days = readDays(reading, domain)
    if (!days || !by || !format || fault) return undefined
    return { kind: 'date', name, closed, from: days[0], to: days[1], by, format }
  },

  boolean: ({ reading, name, closed, domain }) =>
    reading.word(domain, ['true']) && ({ kind: 'boolean', name, closed } as const),
}

/** Exact in every engine's 38 decimal digits, however it is scaled. */
const isDecimal = ({ num, den }: Rational) =>
  10n ** 15n % den === 0n && num < 10n ** 15n * den && -num < 10n ** 15n * den

function readPair(reading: Reading, domain: Entry, each: string): [Entry, Entry] | undefined {
  const expected = `[low, high], each ${each}`
  const items = reading.items(domain, expected)
  if (!items || items.length === 2) return items as [Entry, Entry] | undefined
  return reading.mistake(domain, `expected ${expected}, found ${items.length} of them`)
}

function readBounds(reading: Reading, domain: Entry, each: string, allowed: (r: Rational) => boolean) {
  const pair = readPair(reading, domain, each)
  const low = pair && reading.number(pair[0], each, allowed)
  const high = pair && reading.number(pair[1], each, allowed)
  if (!low || !high) return undefined
  if (compare(low, high) > 0) return reading.mistake(domain, 'the low bound is above the high bound')
  return [low, high] as const
}

function readDays(reading: Reading, domain: Entry): [string, string] | undefined {
  const pair = readPair(reading, domain, 'a date YYYY-MM-DD')
  const days = pair?.map((at) => {
    const text = reading.text(at, 'a date YYYY-MM-DD')
    if (text === undefined || isDay(text)) return text
    return reading.mistake(at, `expected a day that exists, YYYY-MM-DD, found ${JSON.stringify(text.slice(0, 40))}`)
  })
  if (days?.[0] === undefined || days[1] === undefined) return undefined
  if (days[0] > days[1]) return reading.mistake(domain, 'expected the earlier date first')
  return days as [string, string]
}

async function readAttribute(reading: Reading, name: string, entry: Entry, folder: string) {
  // A plain object has these already: a factor table looked up by such a name would find what nobody put there.
  if (name === '' || name in {} || name.includes('\0')) {
    return reading.mistake(entry, 'an attribute cannot have this name; rename the column with sql:')
  }
  const fields = reading.fields(entry, {}, [...kinds, 'closed', ...Object.keys(options)])
  // Beside bins, values are what a sum takes for each of them.
  const among = fields?.has('bins') ? kinds.filter((k) => k !== 'values') : kinds
  const kind = fields && onlyOne(reading, entry, fields, among)
  if (!kind) return undefined
  for (const [key, of] of Object.entries(options)) {
    if (of !== kind && fields.has(key)) reading.mistake(fields.get(key)!, `${key} goes with ${of}`)
  }
  const closed = fields.has('closed') ? reading.flag(fields.get('closed')!) : false
  const domain = fields.get(kind)!
  const read = await readers[kind]({ reading, name, closed: closed ?? false, domain, fields, folder })
  if (!read) return undefined
  if (valueCount(read) + 2 > maxCodes) {
    return reading.mistake(domain, `expected at most ${maxCodes - 2} values: use a coarser step or narrower bounds`)
  }
  return attribute(read)
}

export async function readAttributes(reading: Reading, entry: Entry, folder: string): Promise<Attribute[]> {
  const named = reading.map(entry, 'a map from names to attributes')
  if (named?.size === 0) reading.mistake(entry, 'expected at least one attribute')
  const attributes: Attribute[] = []
  for (const [name, at] of named ?? []) {
    const read = await readAttribute(reading, name, at, folder)
    if (read) attributes.push(read)
  }
  return attributes
}
