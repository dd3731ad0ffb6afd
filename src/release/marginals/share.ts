import { add, ceil, divide, floor, multiply, type Rational, rational, subtract, zero } from '../../numeric/index.ts'
import { ReticentError } from '../../schema/index.ts'

// Prices are whole numbers of 10^-12, rounded up (docs/decisions/0003-units.md). What is shared out in such units costs
// what was given, to the last one: three thirds must not cost more than the whole.
const perOne = 10n ** 12n
const unitsOf = (epsilon: Rational): bigint => floor(multiply(epsilon, rational(perOne)))

/** The most that is a whole number of units and not above it. */
export function wholeUnits(epsilon: Rational): Rational {
  const units = unitsOf(epsilon)
  if (units <= 0n) throw tooLittle()
  return rational(units, perOne)
}

/** ε in parts that are as the weights are to each other and add up to it exactly (where it is in whole units). */
export function shareOut(epsilon: Rational, weights: readonly number[]): Rational[] {
  const units = unitsOf(epsilon)
  const sum = weights.reduce((a, b) => a + b, 0)
  let [before, reached] = [0, 0n]
  return weights.map((weight, i) => {
    before += weight
    const upTo = i === weights.length - 1 ? units : BigInt(Math.floor(Number(units) * Math.min(1, before / sum)))
    const part = upTo - reached
    if (part <= 0n) throw tooLittle()
    reached = upTo
    return rational(part, perOne)
  })
}

/**
 * The scale that all may have so that together they cost ε or, by rounding, as little less as can be said in advance.
 */
export function equalScale(unitScales: readonly Rational[], epsilon: Rational): Rational {
  const sum = unitScales.reduce(add, zero)
  const scale = divide(sum, epsilon)
  const cost = unitScales.reduce((units, unit) => units + priceInUnits(unit, scale), 0n)
  if (cost <= unitsOf(epsilon)) return scale
  const less = subtract(epsilon, rational(BigInt(unitScales.length), perOne))
  if (less.num <= 0n) throw tooLittle()
  return divide(sum, less)
}

const priceInUnits = (unitScale: Rational, scale: Rational): bigint =>
  ceil(multiply(divide(unitScale, scale), rational(perOne)))

/** What a scale costs, as it is charged. */
export const priceOf = (unitScale: Rational, scale: Rational): Rational =>
  rational(priceInUnits(unitScale, scale), perOne)

/** What all of them cost at one scale, as it is charged: the generalized sensitivity GS(Q, Λ) of §3. */
export const costAt = (scale: Rational, unitScales: readonly Rational[]): Rational =>
  unitScales.map((unit) => priceOf(unit, scale)).reduce(add, zero)

const tooLittle = () =>
  new ReticentError(
    'usage',
    {},
    { message: 'ε is too small to be divided among these marginals', hint: 'Give more, or ask for fewer marginals.' },
  )
