import { add, multiply, type Rational, rational, toText } from '../numeric/index.ts'

/**
 * One attribute of a record. Every record has exactly one code 0 … size-1 in it: the domain's values in order, then
 * `other` where there is one, then the NULL cell unless the attribute is closed. No record is ever without a code.
 */
export type Attribute = ValuesAttribute | IntegerAttribute | DecimalAttribute | BooleanAttribute | DateAttribute

interface Common {
  readonly name: string
  /** The owner vouches that there is no NULL; what is missing all the same counts as the first value. */
  readonly closed: boolean
  /** Number of codes, with `other` and the NULL cell. */
  readonly size: number
}
export interface ValuesAttribute extends Common {
  readonly kind: 'values'
  readonly values: readonly string[]
  /** Unlisted values have a code of their own, after the listed ones. */
  readonly other: boolean
}
/** Clamped to low … high. */
export interface IntegerAttribute extends Common {
  readonly kind: 'integer'
  readonly low: number
  readonly high: number
}
/** Clamped to low … high, then rounded to the nearest low + i·step, halves up. */
export interface DecimalAttribute extends Common {
  readonly kind: 'decimal'
  readonly low: Rational
  readonly high: Rational
  readonly step: Rational
}
/** false, true. */
export interface BooleanAttribute extends Common {
  readonly kind: 'boolean'
}
/** Clamped to from … to (ISO dates), then taken to the first day of its day, month or year. */
export interface DateAttribute extends Common {
  readonly kind: 'date'
  readonly from: string
  readonly to: string
  readonly by: DateUnit
  /** How dates are written where the source has text, such as DD.MM.YYYY. */
  readonly format: string
}
export type DateUnit = 'day' | 'month' | 'year'

/** An attribute as the policy describes it; its size follows. */
export type AttributeDescription = {
  [K in Attribute['kind']]: Omit<Extract<Attribute, { kind: K }>, 'size'>
}[Attribute['kind']]

/** More codes than this in one attribute are refused: tables over its codes must fit in memory. */
export const maxCodes = 2 ** 24

const days = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

/** The ordinal of the day, month or year that a date falls in. */
export const dateOrdinal = (iso: string, by: DateUnit): number => {
  if (by === 'day') return days(iso)
  const [year, month] = iso.split('-').map(Number) as [number, number]
  return by === 'year' ? year : year * 12 + month - 1
}

/** Number of codes that are values: neither `other` nor NULL. */
export function valueCount(a: AttributeDescription): number {
  switch (a.kind) {
    case 'values':
      return a.values.length
    case 'integer':
      return a.high - a.low + 1
    case 'decimal': {
      const width = rational(
        (a.high.num * a.low.den - a.low.num * a.high.den) * a.step.den,
        a.high.den * a.low.den * a.step.num,
      )
      return Number(width.num / width.den) + 1
    }
    case 'boolean':
      return 2
    case 'date':
      return dateOrdinal(a.to, a.by) - dateOrdinal(a.from, a.by) + 1
  }
}

/** Completes a description with its size. The policy's reader has checked it (order of bounds, step, maxCodes). */
export const attribute = (a: AttributeDescription): Attribute =>
  ({ ...a, size: valueCount(a) + (a.kind === 'values' && a.other ? 1 : 0) + (a.closed ? 0 : 1) }) as Attribute

/** The code of NULL, -1 in a closed attribute. */
export const nullCode = (a: Attribute): number => (a.closed ? -1 : a.size - 1)
/** The code of `other`, -1 where there is none. */
export const otherCode = (a: Attribute): number => (a.kind === 'values' && a.other ? a.values.length : -1)

/** value(code) = low + code·step, for attributes that one may add up. */
export function valueGrid(a: Attribute): { low: Rational; step: Rational } | undefined {
  if (a.kind === 'integer') return { low: rational(a.low), step: rational(1) }
  if (a.kind === 'decimal') return { low: a.low, step: a.step }
  return undefined
}

const pad = (n: number, width: number) => String(n).padStart(width, '0')
const isoOf = (ordinal: number, by: DateUnit): string => {
  if (by === 'day') return new Date(ordinal * 86_400_000).toISOString().slice(0, 10)
  const [year, month] = by === 'year' ? [ordinal, 0] : [Math.floor(ordinal / 12), ordinal % 12]
  return `${pad(year, 4)}-${pad(month + 1, 2)}-01`
}

/** A decimal text where the fraction has one, else num/den. */
function decimalText(value: Rational): string {
  for (let digits = 0; digits <= 20; digits++) {
    const scaled = multiply(value, rational(10n ** BigInt(digits)))
    if (scaled.den !== 1n) continue
    const text = (scaled.num < 0n ? -scaled.num : scaled.num).toString().padStart(digits + 1, '0')
    const whole = text.slice(0, text.length - digits)
    return `${scaled.num < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
  }
  return toText(value)
}

/** What a code is called in answers; null is SQL's NULL. A date's label is the first day of its day, month or year. */
export function label(a: Attribute, code: number): string | null {
  if (code === nullCode(a)) return null
  switch (a.kind) {
    case 'values':
      return code === otherCode(a) ? 'other' : a.values[code]!
    case 'integer':
      return String(a.low + code)
    case 'decimal':
      return decimalText(add(a.low, multiply(a.step, rational(code))))
    case 'boolean':
      return code === 1 ? 'true' : 'false'
    case 'date':
      return isoOf(dateOrdinal(a.from, a.by) + code, a.by)
  }
}
