import { ceil, compare, divide, floor, multiply, type Rational, rational, subtract } from '../../../numeric/index.ts'

/** Functions over the records of a group. */
export const aggregateNames = [
  'count',
  'sum',
  'avg',
  'variance',
  'var_samp',
  'var_pop',
  'stddev',
  'stddev_samp',
  'stddev_pop',
  'covar_pop',
  'covar_samp',
] as const

/** Functions of a value of the record. */
export const valueFunctions = [
  'floor',
  'ceil',
  'ceiling',
  'width_bucket',
  'date_trunc',
  'date_part',
  'extract',
] as const

/** The bucket 1 … count of `low` … `high` that a value falls in; 0 and count + 1 lie outside. Bounds may descend. */
export function widthBucket(value: Rational, low: Rational, high: Rational, count: bigint): Rational {
  const ascending = compare(low, high) < 0
  const past = (a: Rational, b: Rational) => (ascending ? compare(a, b) < 0 : compare(a, b) > 0)
  if (past(value, low)) return rational(0)
  if (!past(value, high)) return rational(count + 1n)
  const share = divide(subtract(value, low), subtract(high, low))
  return rational(floor(multiply(share, rational(count))) + 1n)
}

/** Functions of a number that give a whole number (of SQL's numeric type). */
export const rounding: { readonly [name: string]: (a: Rational) => Rational } = {
  floor: (a) => rational(floor(a)),
  ceil: (a) => rational(ceil(a)),
  ceiling: (a) => rational(ceil(a)),
}

const parts = (iso: string) => iso.split('-').map(Number) as [number, number, number]
const pad = (n: number, width: number) => String(n).padStart(width, '0')

/** extract(field from date). */
export const dateFields: { readonly [field: string]: (iso: string) => number } = {
  year: (iso) => parts(iso)[0],
  quarter: (iso) => Math.ceil(parts(iso)[1] / 3),
  month: (iso) => parts(iso)[1],
  day: (iso) => parts(iso)[2],
}

/** date_trunc(unit, date), as a date. */
export const dateUnits: { readonly [unit: string]: (iso: string) => string } = {
  year: (iso) => `${iso.slice(0, 4)}-01-01`,
  quarter: (iso) => `${iso.slice(0, 4)}-${pad(3 * Math.ceil(parts(iso)[1] / 3) - 2, 2)}-01`,
  month: (iso) => `${iso.slice(0, 7)}-01`,
  day: (iso) => iso,
}

/** Whether a text is the ISO form of a date that exists. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === text
}
