import { add, divide, gcd, one, type Rational, rational, subtract, zero } from '../../../numeric/index.ts'
import { type Attribute, knownCodes, sumValue, valueGrid } from '../../../schema/index.ts'
import { intersect, type Ranges, span } from '../condition/ranges.ts'

/** An attribute's value less a centre, (slope·code + shift)·step or table[code]·step, or the square of it. */
export interface Moment {
  readonly attribute: Attribute
  readonly slope: number
  readonly shift: number
  /** Instead of slope and shift, where values are not evenly spaced. */
  readonly table?: readonly number[]
  readonly step: Rational
  readonly power: 1 | 2
}

/** The codes that are neither NULL nor excluded. */
export const valueCodes = (attribute: Attribute, codes: Ranges): Ranges =>
  intersect(codes, span(0, knownCodes(attribute) - 1))

/** The largest unit that all of them are multiples of. */
const unitOf = (values: readonly Rational[]): Rational => {
  const unit = values.reduce((u, v) => rational(gcd(u.num * v.den, v.num * u.den), u.den * v.den), zero)
  return unit.num === 0n ? one : unit
}

/** The value itself, in the largest unit that all values are multiples of. */
export function plainMoment(attribute: Attribute): Moment {
  const grid = valueGrid(attribute)
  if (!grid) return tableMoment(attribute, zero)
  const unit = unitOf([grid.low, grid.step])
  const inUnits = (value: Rational) => Number(divide(value, unit).num)
  return { attribute, slope: inUnits(grid.step), shift: inUnits(grid.low), step: unit, power: 1 }
}

/** Values that are not evenly spaced, less a centre. */
function tableMoment(attribute: Attribute, centre: Rational): Moment {
  const values = Array.from({ length: knownCodes(attribute) }, (_, code) => subtract(sumValue(attribute, code), centre))
  const step = unitOf(values)
  return { attribute, slope: 0, shift: 0, table: values.map((v) => Number(divide(v, step).num)), step, power: 1 }
}

/** What is known of the values that a condition leaves: the span they lie in, and its middle. */
interface Spread {
  readonly low: Rational
  readonly high: Rational
  readonly centre: Rational
  /** value - centre. */
  readonly moment: Moment
}

/**
 * Values are centred at the middle of those that the condition leaves: a record then weighs half as much as the span
 * at most, and the mean, variance and covariance are the same.
 */
export function spread(attribute: Attribute, codes: Ranges): Spread {
  const [first, last] = [codes[0]!, codes.at(-1)!]
  const [low, high] = [sumValue(attribute, first), sumValue(attribute, last)]
  const centre = divide(add(low, high), rational(2))
  const grid = valueGrid(attribute)
  return {
    low,
    high,
    centre,
    moment: grid ? evenMoment(attribute, grid.step, first + last) : tableMoment(attribute, centre),
  }
}

/** Less the middle of two codes, of which `twice` is the sum. */
function evenMoment(attribute: Attribute, step: Rational, twice: number): Moment {
  if (twice % 2 === 0) return { attribute, slope: 1, shift: twice === 0 ? 0 : -twice / 2, step, power: 1 }
  return { attribute, slope: 2, shift: -twice, step: divide(step, rational(2)), power: 1 }
}

export const squared = (m: Moment): Moment => ({ ...m, power: 2 })
export const weightOf = (m: Moment, code: number): number =>
  (m.table ? m.table[code]! : m.slope * code + m.shift) ** m.power
