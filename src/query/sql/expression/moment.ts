import { add, divide, gcd, multiply, type Rational, rational } from '../../../numeric/index.ts'
import { type Attribute, nullCode, valueGrid } from '../../../schema/index.ts'
import { intersect, type Ranges, span } from '../condition/ranges.ts'

/** An attribute's value less a centre, (slope·code + shift)·step, or the square of it. */
export interface Moment {
  readonly attribute: Attribute
  readonly slope: number
  readonly shift: number
  readonly step: Rational
  readonly power: 1 | 2
}

/** The codes that are neither NULL nor excluded. */
export const valueCodes = (attribute: Attribute, codes: Ranges): Ranges =>
  intersect(codes, span(0, attribute.size - (nullCode(attribute) < 0 ? 1 : 2)))

/** The value itself, in the largest unit that both the lowest value and the step are multiples of. */
export function plainMoment(attribute: Attribute): Moment {
  const { low, step } = valueGrid(attribute)!
  const unit = rational(gcd(low.num * step.den, step.num * low.den), low.den * step.den)
  const inUnits = (value: Rational) => Number(divide(value, unit).num)
  return { attribute, slope: inUnits(step), shift: inUnits(low), step: unit, power: 1 }
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
  const { low, step } = valueGrid(attribute)!
  const [first, last] = [codes[0]!, codes.at(-1)!]
  const value = (code: Rational) => add(low, multiply(step, code))
  const twice = first + last
  const even = twice % 2 === 0
  const moment: Moment = even
    ? { attribute, slope: 1, shift: twice === 0 ? 0 : -twice / 2, step, power: 1 }
    : { attribute, slope: 2, shift: -twice, step: divide(step, rational(2)), power: 1 }
  return { low: value(rational(first)), high: value(rational(last)), centre: value(rational(twice, 2)), moment }
}

export const squared = (m: Moment): Moment => ({ ...m, power: 2 })
export const weightOf = (m: Moment, code: number): number => (m.slope * code + m.shift) ** m.power
