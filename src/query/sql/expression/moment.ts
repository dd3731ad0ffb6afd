import {
  add,
  compare,
  divide,
  gcd,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../../../numeric/index.ts'
import { type Attribute, knownCodes, sumValue, valueGrid } from '../../../schema/index.ts'
import { fromCodes, intersect, type Ranges, span } from '../condition/ranges.ts'
import type { Computed } from './scalar.ts'

/** An attribute's value less a centre, (slope·code + shift)·step or table[code]·step, or the square of it. */
export interface Moment {
  readonly attribute: Attribute
  /** Where it has a value; elsewhere it is NULL. */
  readonly codes: Ranges
  readonly slope: number
  readonly shift: number
  /** Instead of slope and shift, where values are not evenly spaced. */
  readonly table?: readonly number[]
  readonly step: Rational
  readonly power: 1 | 2
}

/** The same of several attributes: ((table[cell] - centre)·step)^power, the last attribute running fastest. */
export interface JointMoment {
  readonly attributes: readonly Attribute[]
  /** In steps; 0 where it is NULL. */
  readonly table: Float64Array
  /** 1 where it has a value, 0 where it is NULL. */
  readonly known: Float64Array
  readonly centre: number
  readonly step: Rational
  readonly power: 1 | 2
}

/** What aggregates add up: an attribute that is a number, or a number computed from some. */
export type Summand = Attribute | Computed
export const isComputed = (of: Summand): of is Computed => of.kind === 'computed'
export const isJoint = (m: Moment | JointMoment): m is JointMoment => 'attributes' in m

/** The codes that are neither NULL nor excluded. */
export const valueCodes = (attribute: Attribute, codes: Ranges): Ranges =>
  intersect(codes, span(0, knownCodes(attribute) - 1))

/** The largest unit that all of them are multiples of. */
const unitOf = (values: readonly Rational[]): Rational => {
  const unit = values.reduce((u, v) => rational(gcd(u.num * v.den, v.num * u.den), u.den * v.den), zero)
  return unit.num === 0n ? one : unit
}

/** The value itself, in the largest unit that all values are multiples of. */
export function plainMoment(of: Summand): Moment | JointMoment {
  if (isComputed(of)) return computedMoment(of, zero, 1)
  const grid = valueGrid(of)
  if (!grid) return tableMoment(of, zero)
  const unit = unitOf([grid.low, grid.step])
  const inUnits = (value: Rational) => Number(divide(value, unit).num)
  return { ...momentOf(of), slope: inUnits(grid.step), shift: inUnits(grid.low), step: unit }
}

const momentOf = (attribute: Attribute): Moment => ({
  attribute,
  codes: span(0, knownCodes(attribute) - 1),
  slope: 0,
  shift: 0,
  step: one,
  power: 1,
})

/** Values that are not evenly spaced, less a centre. */
function tableMoment(attribute: Attribute, centre: Rational): Moment {
  const values = Array.from({ length: knownCodes(attribute) }, (_, code) => subtract(sumValue(attribute, code), centre))
  const step = unitOf(values)
  return { ...momentOf(attribute), table: values.map((v) => Number(divide(v, step).num)), step }
}

/** So many steps at most: exact in a double, squares included where they are taken. */
const mostSteps = { 1: 2 ** 48, 2: 2 ** 24 } as const

/** The step that computed numbers are rounded to in sums, 7 digits of the largest; undefined where they are exact without. */
export function roundingStep({ values }: Computed, power: 1 | 2): Rational | undefined {
  const numbers = values as readonly Rational[]
  const largest = Math.max(0, ...[numbers[0], numbers.at(-1)].map((v) => (v ? Math.abs(toNumber(v)) : 0)))
  if (largest / toNumber(unitOf(numbers)) <= mostSteps[power]) return undefined
  const exponent = Math.ceil(Math.log10(largest)) - 7
  return exponent >= 0 ? rational(10n ** BigInt(exponent)) : rational(1n, 10n ** BigInt(-exponent))
}

const roundTo = (value: Rational, step: Rational): Rational => {
  const { num, den } = divide(value, step)
  return multiply(
    step,
    rational((2n * num + den - ((((2n * num + den) % (2n * den)) + 2n * den) % (2n * den))) / (2n * den)),
  )
}

/** The numbers as sums take them. */
function summedValues(of: Computed, power: 1 | 2): readonly Rational[] {
  const step = roundingStep(of, power)
  const values = of.values as readonly Rational[]
  return step ? values.map((value) => roundTo(value, step)) : values
}

function computedMoment(of: Computed, centre: Rational, power: 1 | 2): Moment | JointMoment {
  if (of.attributes.length > 1) return jointMoment(of, centre, power)
  const values = summedValues(of, power).map((value) => subtract(value, centre))
  const step = unitOf(values)
  const steps = values.map((value) => Number(divide(value, step).num))
  const at = (place: number) => (place < 0 ? 0 : steps[place]!)
  const codes = fromCodes(of.places.keys().filter((code) => of.places[code]! >= 0))
  const table = Array.from(of.places, at)
  return { ...momentOf(of.attribute), codes, step, ...(evenly(table, codes) ?? { table }) }
}

function jointMoment(of: Computed, centre: Rational, power: 1 | 2): JointMoment {
  const values = summedValues(of, power)
  const step = unitOf([...values, centre])
  const steps = values.map((value) => Number(divide(value, step).num))
  return {
    attributes: of.attributes,
    table: Float64Array.from(of.places, (place) => (place < 0 ? 0 : steps[place]!)),
    known: Float64Array.from(of.places, (place) => (place < 0 ? 0 : 1)),
    centre: Number(divide(centre, step).num),
    step,
    power: 1,
  }
}

/** Slope and shift of what rises or falls evenly with the code. */
function evenly(table: readonly number[], codes: Ranges): { slope: number; shift: number } | undefined {
  if (codes.length !== 2 || codes[0] === codes[1]) return undefined
  const [first, last] = codes as [number, number]
  const slope = table[first + 1]! - table[first]!
  const shift = table[first]! - slope * first
  for (let code = first; code <= last; code++) if (table[code] !== slope * code + shift) return undefined
  return { slope, shift }
}

/** What is known of the values that a condition leaves: the span they lie in, and its middle. */
export interface Spread {
  readonly low: Rational
  readonly high: Rational
  readonly centre: Rational
  /** value - centre. */
  readonly moment: Moment | JointMoment
}

/**
 * Values are centred at the middle of those that the condition leaves: a record then weighs half as much as the span
 * at most, and the mean, variance and covariance are the same.
 */
export function spread(attribute: Attribute, codes: Ranges): Spread {
  const [first, last] = [codes[0]!, codes.at(-1)!]
  const [low, high] = [sumValue(attribute, first), sumValue(attribute, last)]
  const centre = middle(low, high)
  const grid = valueGrid(attribute)
  return {
    low,
    high,
    centre,
    moment: grid ? evenMoment(attribute, grid.step, first + last) : tableMoment(attribute, centre),
  }
}

const middle = (low: Rational, high: Rational): Rational => divide(add(low, high), rational(2))

/** The same of a computed number, given the places of the values that are left. */
export function computedSpread(of: Computed, places: Iterable<number>, power: 1 | 2): Spread {
  const values = summedValues(of, power)
  const left = [...new Set(places)].filter((place) => place >= 0).map((place) => values[place]!)
  const all = left.length > 0 ? left : values.length > 0 ? values : [zero]
  const [low, high] = [
    all.reduce((a, b) => (compare(a, b) <= 0 ? a : b)),
    all.reduce((a, b) => (compare(a, b) >= 0 ? a : b)),
  ]
  const centre = middle(low, high)
  return { low, high, centre, moment: computedMoment(of, centre, power) }
}

/** Less the middle of two codes, of which `twice` is the sum. */
function evenMoment(attribute: Attribute, step: Rational, twice: number): Moment {
  const even = momentOf(attribute)
  if (twice % 2 === 0) return { ...even, slope: 1, shift: twice === 0 ? 0 : -twice / 2, step }
  return { ...even, slope: 2, shift: -twice, step: divide(step, rational(2)) }
}

export const squared = (m: Moment | JointMoment): Moment | JointMoment => ({ ...m, power: 2 })
export const weightOf = (m: Moment, code: number): number =>
  (m.table ? (m.table[code] ?? 0) : m.slope * code + m.shift) ** m.power
/** The unit of what is added up. */
export const unitOfMoment = (m: Moment | JointMoment): Rational => (m.power === 2 ? multiply(m.step, m.step) : m.step)
