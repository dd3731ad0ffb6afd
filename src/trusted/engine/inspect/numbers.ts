import type { Column } from '../sql/index.ts'
import type { Inspected } from './session.ts'

/** What a column of numbers holds. For the source's owner alone. */
export interface NumbersReport {
  readonly low: number
  readonly high: number
  /** A largest value such as 999, far above all others: it may stand for a missing one. */
  readonly missing?: { readonly value: number; readonly next: number }
  /** The least number of decimals that every value is written with; undefined beyond `mostDecimals`. */
  readonly decimals: number | undefined
  /** Mean of the absolute values: a typical sum is this times the number of records. */
  readonly size: number
  /** Values that are no numbers, and would count as NULL. */
  readonly others: number
}

const mostDecimals = 4

/** Undefined where more than this share of the values are no numbers, or where one only looks so. */
export async function numbersReport(
  column: Column,
  s: Inspected,
  { there, others }: { readonly there: number; readonly others: number },
): Promise<NumbersReport | undefined> {
  const { kind } = column
  if (kind === 'date' || kind === 'time' || kind === 'boolean') return undefined
  const { dialect: d } = s
  const finite = finiteSql(s)
  // 007 and 12345-6789 are names made of digits.
  const padding = kind === 'text' ? `count(*) FILTER (WHERE ${d.matches('original', '^\\s*[+-]?0[0-9]')})` : '0'
  const decimals = Array.from({ length: mostDecimals + 1 }, (_, n) => n)
  const asked = {
    n: 'count(value)',
    padding,
    low: `min(${finite})`,
    high: `max(${finite})`,
    size: `avg(abs(${finite}))`,
    ...Object.fromEntries(decimals.map((n) => [`finer${n}`, `count(*) FILTER (WHERE ${isFiner(finite, n)})`])),
  }
  const found = await s.numbers(asked, valuesOf(column, s))
  if (found.n! < (1 - others) * there || found.padding !== 0) return undefined
  const missing = await missingIn(found.high!, finite, column, s)
  return {
    low: found.low!,
    high: found.high!,
    ...(missing && { missing }),
    size: found.size!,
    others: there - found.n!,
    decimals: decimals.find((n) => found[`finer${n}`] === 0),
  }
}

/** How far above the others a code for a missing value is, at least. */
const farAbove = 2

async function missingIn(high: number, finite: string, column: Column, s: Inspected) {
  if (!/^9{2,}$/.test(String(high))) return undefined
  const below = { next: `max(CASE WHEN ${finite} < ${high} THEN value END)` }
  const { next = 0 } = await s.numbers(below, valuesOf(column, s))
  return high > farAbove * next && next > 0 ? { value: high, next } : undefined
}

/** The relation of a column's values as doubles, NULL for what is no number; each is made from what is stored once. */
export const valuesOf = (column: Column, { dialect: d, records }: Inspected): string =>
  `(SELECT ${d.withoutNaN(d.number(column))} AS value, ${column.sql} AS original FROM ${records}${d.once ?? ''}) AS numbers`

/** Such a value, NULL for what is not finite. */
export const finiteSql = ({ dialect: d }: Inspected): string =>
  `CASE WHEN abs(value) <= ${d.real(Number.MAX_VALUE)} THEN value END`

/** Whether a value has more than so many decimals: dividing whole numbers gives the double that is read from the text. */
const isFiner = (value: string, decimals: number): string =>
  `floor(${value} * 1e${decimals} + 0.5) / 1e${decimals} <> ${value}`
