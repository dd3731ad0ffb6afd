import { add, divide, multiply, type Rational, rational } from '../numeric/index.ts'
import { type Attribute, type BinsAttribute, type DateAttribute, dateOrdinal, isoOf, nullCode } from './attribute.ts'

/** The i-th edge of the bins, from 0: bin i lies from edge i to below edge i + 1. */
export const binEdge = ({ low, width, edges }: BinsAttribute, i: number): Rational =>
  width ? add(low, multiply(width, rational(i))) : edges[i]!

/** What a record in a bin counts as in a sum: what the owner states, else the middle. */
export const binValue = (a: BinsAttribute, bin: number): Rational =>
  a.stated[bin] ?? divide(add(binEdge(a, bin), binEdge(a, bin + 1)), rational(2))

/** The first and the last day of a date's cell; the first and the last month or year may be cut by the bounds. */
export function daysAt(a: DateAttribute, code: number): readonly [first: string, last: string] {
  const ordinal = dateOrdinal(a.from, a.by) + code
  const first = isoOf(ordinal, a.by)
  const last = isoOf(dateOrdinal(isoOf(ordinal + 1, a.by), 'day') - 1, 'day')
  return [first < a.from ? a.from : first, last > a.to ? a.to : last]
}

/** Whether neighbouring codes are neighbours: numbers and dates. */
export const isOrdered = ({ kind }: Attribute): boolean => kind !== 'values' && kind !== 'boolean'

/** Whether it is a number, which one may add up. */
export const isNumber = ({ kind }: Attribute): boolean => kind === 'integer' || kind === 'decimal' || kind === 'bins'

/** Whether a code stands for several values, which a condition might tell apart. */
export const isCoarse = (a: Attribute): boolean => a.kind === 'bins' || (a.kind === 'date' && a.by !== 'day')

/** value(code) = low + code·step, where the values that a sum takes are evenly spaced. */
export function valueGrid(a: Attribute): { low: Rational; step: Rational } | undefined {
  if (a.kind === 'integer') return { low: rational(a.low), step: rational(1) }
  if (a.kind === 'decimal') return { low: a.low, step: a.step }
  if (a.kind === 'bins' && a.width && a.stated.length === 0) return { low: binValue(a, 0), step: a.width }
  return undefined
}

/** What a record of this code counts as in a sum, for a code that is not NULL of an attribute that is a number. */
export function sumValue(a: Attribute, code: number): Rational {
  const grid = valueGrid(a)
  return grid ? add(grid.low, multiply(grid.step, rational(code))) : binValue(a as BinsAttribute, code)
}

/** The codes that are values: NULL comes last. */
export const knownCodes = (a: Attribute): number => a.size - (nullCode(a) < 0 ? 0 : 1)
