import {
  add,
  compare,
  divide,
  floor,
  fromNumber,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../numeric/index.ts'
import {
  type Attribute,
  binEdge,
  type DateAttribute,
  dateOrdinal,
  nullCode,
  otherCode,
  valueCount,
  valueGrid,
} from '../schema/index.ts'

/** A value as a source may hold it: text, or a native number, truth value or date. Times are UTC. */
export type RawValue = string | number | bigint | boolean | Date | null | undefined

/** Fractions of a step near a tie that count as the tie; the same in every engine. */
const tie = rational(1, 1_000_000)
const half = rational(1, 2)
const space = '[ \\t\\n\\v\\f\\r]*'
const numberText = new RegExp(`^${space}([+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)${space}$`)
const infinityText = new RegExp(`^${space}([+-]?)inf(?:inity)?${space}$`, 'i')

/**
 * The code of a raw value in an attribute: what every engine's SQL must agree with, written for clarity alone. Missing,
 * unparsable and (without `other`) unlisted values have the NULL code, or the first code where the attribute is closed.
 */
export function encodeValue(a: Attribute, raw: RawValue): number {
  const code = raw === null || raw === undefined ? undefined : codeOf(a, raw)
  return code ?? (a.closed ? 0 : nullCode(a))
}

function codeOf(a: Attribute, raw: NonNullable<RawValue>): number | undefined {
  switch (a.kind) {
    case 'values': {
      const at = a.values.indexOf(textOf(raw))
      return at >= 0 ? at : a.other ? otherCode(a) : undefined
    }
    case 'integer':
    case 'decimal':
      return gridCode(a, raw)
    case 'bins': {
      const value = doubleOf(raw)
      if (value === undefined) return undefined
      const bins = Array.from({ length: valueCount(a) }, (_, bin) => bin)
      return Math.max(
        0,
        bins.findLastIndex((bin) => value >= toNumber(binEdge(a, bin))),
      )
    }
    case 'boolean': {
      const text = textOf(raw).toLowerCase()
      if (['true', 't', 'yes', 'y', '1'].includes(text)) return 1
      return ['false', 'f', 'no', 'n', '0'].includes(text) ? 0 : undefined
    }
    case 'date':
      return dateCode(a, raw)
  }
}

const textOf = (raw: NonNullable<RawValue>): string =>
  raw instanceof Date ? raw.toISOString().slice(0, 10) : String(raw)

/** Clamped, then to the nearest grid point, halves up. */
function gridCode(a: Attribute, raw: NonNullable<RawValue>): number | undefined {
  const { low, step } = valueGrid(a)!
  const last = valueCount(a) - 1
  const value = numberOf(raw)
  if (value === undefined) return undefined
  if (value === '+' || value === '-') return value === '+' ? last : 0
  const steps = divide(subtract(value, low), step)
  if (compare(steps, zero) <= 0) return 0
  return Math.min(last, Number(floor(add(steps, add(half, tie)))))
}

/** A fraction, the sign of an infinity, or undefined for what is no number. */
function numberOf(raw: NonNullable<RawValue>): Rational | '+' | '-' | undefined {
  if (raw instanceof Date) return undefined
  if (typeof raw === 'bigint') return rational(raw)
  if (typeof raw === 'boolean') return rational(raw ? 1 : 0)
  if (typeof raw === 'number') return Number.isNaN(raw) ? undefined : finite(raw)
  const infinite = infinityText.exec(raw)
  if (infinite) return infinite[1] === '-' ? '-' : '+'
  const text = numberText.exec(raw)?.[1]
  if (text === undefined) return undefined
  // Beyond a double's range only the sign matters, and tiny fractions do not: no giant powers of ten.
  const double = Number(text)
  return Math.abs(double) > 1e300 || Math.abs(double) < 1e-300 ? finite(double) : parseRational(text)
}
/** The nearest double, as every engine reads a number. */
function doubleOf(raw: NonNullable<RawValue>): number | undefined {
  const value = numberOf(raw)
  if (value === undefined) return undefined
  if (value === '+' || value === '-') return value === '+' ? Infinity : -Infinity
  return typeof raw === 'string' ? Number(raw.trim()) : Number(raw)
}

const finite = (value: number): Rational | '+' | '-' =>
  Number.isFinite(value) ? fromNumber(value) : value > 0 ? '+' : '-'

function dateCode(a: DateAttribute, raw: NonNullable<RawValue>): number | undefined {
  const iso = raw instanceof Date ? raw.toISOString().slice(0, 10) : isoOf(String(raw), a.format)
  if (iso === undefined) return undefined
  const clamped = iso < a.from ? a.from : iso > a.to ? a.to : iso
  return dateOrdinal(clamped, a.by) - dateOrdinal(a.from, a.by)
}

/** The ISO date of a text written exactly in the format; undefined for any other text and for days that never were. */
function isoOf(text: string, format: string): string | undefined {
  const pattern = format
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d{2})')
    .replace('DD', '(?<day>\\d{2})')
  const { year = '', month = '01', day = '01' } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {}
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  if (year === '' || Number.isNaN(date.getTime())) return undefined
  const iso = date.toISOString().slice(0, 10)
  return iso === `${year}-${month}-${day}` ? iso : undefined
}
