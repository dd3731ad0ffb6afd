import { add, multiply, type Rational, rational, subtract } from '../../numeric/index.ts'
import {
  type Attribute,
  type BinsAttribute,
  binEdge,
  binValue,
  type DateAttribute,
  daysAt,
  isCoarse,
  knownCodes,
  label,
  nullCode,
} from '../../schema/index.ts'

/** Digits after the point that all values of a number have; undefined where some value is no decimal of at most 12. */
export function digitsOf(a: Attribute): number | undefined {
  if (a.kind === 'decimal') return mostDigits([a.low, a.step])
  if (a.kind !== 'bins') return 0
  const edges = a.width ? [a.low, a.width, binValue(a, 0)] : a.edges
  return mostDigits([...edges, ...(a.width && a.stated.length === 0 ? [] : middles(a))])
}

const middles = (a: BinsAttribute) => Array.from({ length: knownCodes(a) }, (_, bin) => binValue(a, bin))

function mostDigits(values: readonly Rational[]): number | undefined {
  for (let digits = 0; digits <= 12; digits++)
    if (values.every(({ den }) => 10n ** BigInt(digits) % den === 0n)) return digits
  return undefined
}

/** How far below a bin's upper edge the last of its values is taken to be: digits that no recorded value has. */
export const digitsBelowEdge = 9

/** An expression is computed for at most so many combinations of values. */
export const mostPoints = 1_000_000

/** Values that an expression is computed for, per attribute: a code has several where it stands for many days. */
export function pointsOf(a: Attribute): number {
  return a.kind === 'date' && isCoarse(a) ? days(a).length + (nullCode(a) < 0 ? 0 : 1) : a.size
}

const dayLength = 86_400_000
const days = (a: DateAttribute) => {
  const [from, to] = [Date.parse(daysAt(a, 0)[0]), Date.parse(daysAt(a, knownCodes(a) - 1)[1])]
  return { from, length: (to - from) / dayLength + 1 }
}

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
const decimal = (value: Rational, digits: number): string => {
  const scaled = multiply(value, rational(10n ** BigInt(digits)))
  const text = (scaled.num < 0n ? -scaled.num : scaled.num).toString().padStart(digits + 1, '0')
  const point = text.length - digits
  return `${scaled.num < 0n ? '-' : ''}${text.slice(0, point)}${digits > 0 ? '.' : ''}${text.slice(point)}`
}
export const numericType = (digits: number): string => `DECIMAL(38, ${digits})`
export const numericLiteral = (value: Rational, digits: number): string =>
  `'${decimal(value, digits)}'::${numericType(digits)}`

/** A table of the attribute's values: the code `c`, the value `v`; of bins also the ends of what it stands for, `v0` and `v1`. */
export function valuesTable(a: Attribute): string {
  const known = knownValues(a)
  const missing = a.kind === 'bins' ? 'NULL, NULL, NULL' : 'NULL'
  return nullCode(a) < 0 ? known : `${known} UNION ALL SELECT ${nullCode(a)}, ${missing}`
}

function knownValues(a: Attribute): string {
  const codes = `range(${knownCodes(a)}) r(i)`
  switch (a.kind) {
    case 'integer':
      return `SELECT i AS c, (${a.low} + i)::BIGINT AS v FROM ${codes}`
    case 'decimal': {
      const digits = digitsOf(a)!
      return `SELECT i AS c, (${numericLiteral(a.low, digits)} + i::DECIMAL(38, 0) * ${numericLiteral(a.step, digits)})::${numericType(digits)} AS v FROM ${codes}`
    }
    case 'boolean':
      return `SELECT i AS c, i = 1 AS v FROM ${codes}`
    case 'values':
      return listed(
        Array.from({ length: knownCodes(a) }, (_, code) => quoteText(label(a, code)!)),
        'VARCHAR',
      )
    case 'date': {
      const { from, length } = days(a)
      const first = `DATE '${new Date(from).toISOString().slice(0, 10)}'`
      const day = `(${first} + i::INTEGER)`
      const code = a.by === 'day' ? 'i' : a.by === 'year' ? `year(${day})` : `(year(${day}) * 12 + month(${day}))`
      const [year, month] = label(a, 0)!.split('-').map(Number) as [number, number]
      const begin = a.by === 'day' ? 0 : a.by === 'year' ? year : year * 12 + month
      return `SELECT ${code} - ${begin} AS c, ${day} AS v FROM range(${length}) r(i)`
    }
    case 'bins':
      return bins(a)
  }
}

/** One row per bin, as a list of numbers each. */
function bins(a: BinsAttribute): string {
  const [digits, below] = [digitsOf(a)!, digitsOf(a)! + digitsBelowEdge]
  const justBelow = rational(1n, 10n ** BigInt(below))
  const each = (value: (bin: number) => Rational) =>
    `[${Array.from({ length: knownCodes(a) }, (_, bin) => quoteText(decimal(value(bin), below))).join()}]`
  const columns = [
    each((bin) => binValue(a, bin)),
    each((bin) => binEdge(a, bin)),
    each((bin) => subtract(add(binEdge(a, bin + 1), rational(0)), justBelow)),
  ].map((list, i) => `unnest(${list})::${numericType(i === 0 ? digits : below)} AS ${['v', 'v0', 'v1'][i]}`)
  return `SELECT row_number() OVER () - 1 AS c, * FROM (SELECT ${columns.join(', ')})`
}

const listed = (literals: readonly string[], type: string): string =>
  literals.length === 0
    ? `SELECT 0 AS c, NULL::${type} AS v WHERE false`
    : `SELECT row_number() OVER () - 1 AS c, v FROM (SELECT unnest([${literals.join()}])::${type} AS v)`
