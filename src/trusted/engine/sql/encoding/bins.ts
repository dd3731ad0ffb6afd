import { multiply, type Rational, rational, toNumber } from '../../../../numeric/index.ts'
import { type BinsAttribute, binEdge, valueCount } from '../../../../schema/index.ts'
import type { Dialect } from '../dialect.ts'

/**
 * The bin that a number (not NaN) falls in, clamped; NULL for no number. A number is at an edge or above it where its double is not below
 * the edge's: reading a decimal as the nearest double keeps the order, so no bin is missed by rounding.
 */
export function binSql(d: Dialect, value: string, a: BinsAttribute): string {
  const bin = a.width ? evenBin(d, value, a, a.width) : givenBin(d, value, a, 0, valueCount(a) - 1)
  return `CASE WHEN ${value} IS NOT NULL THEN ${bin} END`
}

/** The nearest edge by arithmetic, and then one comparison with that edge, which is one division of exact doubles. */
function evenBin(d: Dialect, value: string, a: BinsAttribute, width: Rational): string {
  const last = valueCount(a) - 1
  const places = `(${value} - ${d.real(toNumber(a.low))}) / ${d.real(toNumber(width))} + ${d.real(0.5)}`
  const nearest = `least(greatest(floor(${places}), ${d.real(1)}), ${d.real(last)})`
  const power = powerOfTen(a.low, width)
  const inUnits = (edge: Rational) => d.real(Number(multiply(edge, rational(power)).num))
  const edge = `(${inUnits(a.low)} + ${nearest} * ${inUnits(width)}) / ${d.real(Number(power))}`
  return last === 0 ? '0' : `${nearest} - CASE WHEN ${value} < ${edge} THEN 1 ELSE 0 END`
}

/** The smallest power of ten that makes all of them whole. */
const powerOfTen = (...values: readonly Rational[]): bigint => {
  let power = 1n
  while (values.some(({ den }) => power % den !== 0n)) power *= 10n
  return power
}

/** Halves of the bins from … to, until one is left. */
function givenBin(d: Dialect, value: string, a: BinsAttribute, from: number, to: number): string {
  if (from === to) return `${from}`
  const middle = (from + to + 1) >> 1
  const half = (first: number, last: number) => givenBin(d, value, a, first, last)
  return `CASE WHEN ${value} < ${d.real(toNumber(binEdge(a, middle)))} THEN ${half(from, middle - 1)} ELSE ${half(middle, to)} END`
}
