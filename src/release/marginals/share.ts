import { add, ceil, divide, floor, multiply, type Rational, rational, subtract, zero } from '../../numeric/index.ts'
import { problem } from '../../schema/index.ts'

// Prices, in ε or in ρ, are whole numbers of 10^-12, rounded up (docs/decisions/0003-units.md). What is shared out in such units costs
// what was given, to the last one: three thirds must not cost more than the whole.
const perOne = 10n ** 12n
const unitsOf = (epsilon: Rational): bigint => floor(multiply(epsilon, rational(perOne)))

/** The most that is a whole number of units and not above it. */
export function wholeUnits(epsilon: Rational): Rational {
  const units = unitsOf(epsilon)
  if (units <= 0n) throw tooLittle()
  return rational(units, perOne)
}

/**
 * Divides a price in proportion to the weights; the parts add up to it exactly (if it is in whole units). A weight that
 * is too small for a unit gets nothing.
 */
export function partsOf(price: Rational, weights: readonly number[]): Rational[] {
  const units = unitsOf(price)
  const sum = weights.reduce((a, b) => a + b, 0)
  let [before, reached] = [0, 0n]
  return weights.map((weight, i) => {
    before += weight
    const upTo = i === weights.length - 1 ? units : BigInt(Math.floor(Number(units) * Math.min(1, before / sum)))
    const part = upTo - reached
    reached = upTo
    return rational(part, perOne)
  })
}

/** The same, but every part must get something. */
export function shareOut(price: Rational, weights: readonly number[]): Rational[] {
  const parts = partsOf(price, weights)
  if (parts.some(({ num }) => num <= 0n)) throw tooLittle()
  return parts
}

/**
 * The common noise at which all of them together cost this or, because of rounding, as little less as can be guaranteed
 * in advance.
 */
export function equalNoise(unitNoises: readonly Rational[], price: Rational): Rational {
  const sum = unitNoises.reduce(add, zero)
  const noise = divide(sum, price)
  const cost = unitNoises.reduce((units, unit) => units + priceInUnits(unit, noise), 0n)
  if (cost <= unitsOf(price)) return noise
  const less = subtract(price, rational(BigInt(unitNoises.length), perOne))
  if (less.num <= 0n) throw tooLittle()
  return divide(sum, less)
}

const priceInUnits = (unitNoise: Rational, noise: Rational): bigint =>
  ceil(multiply(divide(unitNoise, noise), rational(perOne)))

/** What noise costs, as it is charged. */
export const priceOf = (unitNoise: Rational, noise: Rational): Rational =>
  rational(priceInUnits(unitNoise, noise), perOne)

/** What all of them cost with one noise, as it is charged: under ε the generalized sensitivity GS(Q, Λ) of §3. */
export const costAt = (noise: Rational, unitNoises: readonly Rational[]): Rational =>
  unitNoises.map((unit) => priceOf(unit, noise)).reduce(add, zero)

const tooLittle = () => problem('usage', 'this price is too small to be divided', 'Give more, or ask for less.')
