import { type Rational, rational } from '../numeric/index.ts'

/**
 * One attribute of a record. Every record has exactly one code 0 … size-1 in it: the domain's values in order, then
 * `other` where there is one, then the NULL cell unless the attribute is closed. No record is ever without a code.
 */
export type Attribute =
  | ValuesAttribute
  | IntegerAttribute
  | DecimalAttribute
  | BinsAttribute
  | BooleanAttribute
  | DateAttribute

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
/**
 * On a grid: the owner vouches that values are low + i·step. Clamped to low … high, then rounded to the nearest, halves up,
 * so that what is off the grid all the same counts as the value beside it.
 */
export interface DecimalAttribute extends Common {
  readonly kind: 'decimal'
  readonly low: Rational
  readonly high: Rational
  readonly step: Rational
}
/**
 * In bins: from each edge to below the next. What lies below the first edge counts in the first bin, what lies at the last edge or
 * above in the last one.
 */
export interface BinsAttribute extends Common {
  readonly kind: 'bins'
  /** The first and the last edge. */
  readonly low: Rational
  readonly high: Rational
  /** Of every bin; null if the edges are given. */
  readonly width: Rational | null
  /** All edges, ascending; none where there is a width. */
  readonly edges: readonly Rational[]
  /** What a sum takes for a record of each bin; none: the bin's middle. */
  readonly stated: readonly Rational[]
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

/** How often a step fits between the bounds. */
function stepsIn({ low, high }: { readonly low: Rational; readonly high: Rational }, step: Rational): number {
  const times = rational((high.num * low.den - low.num * high.den) * step.den, high.den * low.den * step.num)
  return Number(times.num / times.den)
}

/** Number of codes that are values: neither `other` nor NULL. */
export function valueCount(a: AttributeDescription): number {
  switch (a.kind) {
    case 'values':
      return a.values.length
    case 'integer':
      return a.high - a.low + 1
    case 'decimal':
      return stepsIn(a, a.step) + 1
    case 'bins':
      return a.width ? stepsIn(a, a.width) : a.edges.length - 1
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

const pad = (n: number, width: number) => String(n).padStart(width, '0')
/** The first day of an ordinal's day, month or year. */
export const isoOf = (ordinal: number, by: DateUnit): string => {
  if (by === 'day') return new Date(ordinal * 86_400_000).toISOString().slice(0, 10)
  const [year, month] = by === 'year' ? [ordinal, 0] : [Math.floor(ordinal / 12), ordinal % 12]
  return `${pad(year, 4)}-${pad(month + 1, 2)}-01`
}
