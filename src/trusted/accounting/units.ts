import { ceil, type Rational, rational } from '../../numeric/index.ts'

/**
 * Privacy budget as an integer number of 10^-12, in a double: sums stay exact below 2^53 units (ε = 9007), far above
 * any cap that the policy's reader lets through. Charges are rounded up, caps down.
 */
export type Units = number

const perOne = 10n ** 12n

/** A charge in units, or so many of them, rounded up: against us. Infinity where it does not fit. */
export function chargeUnits({ num, den }: Rational, times = 1n): Units {
  const units = ceil({ num: num * times * perOne, den })
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : Number.POSITIVE_INFINITY
}

/**
 * The same for a double within 2^-48 of the true value: never below what that comes to. One more unit takes in what
 * chargeUnits rounds up.
 */
export const unitsAbove = (near: number): Units => Math.ceil(near * 1e12 * (1 + 2 ** -46)) + 1

/** A cap in units, rounded down: against us. */
export const capUnits = (value: Rational): Units => Number((value.num * perOne) / value.den)

/**
 * The exact sum of two integers of either sign, or Infinity where a double no longer holds it. Rounding is monotone, so
 * a true sum beyond 2^53 never looks smaller than that.
 */
export function addUnits(a: Units, b: Units): Units {
  const sum = a + b
  return Math.abs(sum) <= Number.MAX_SAFE_INTEGER ? sum : Number.POSITIVE_INFINITY
}

/** A small whole multiple, or Infinity where a double no longer holds it. */
export const timesUnits = (units: Units, times: number): Units =>
  units * times <= Number.MAX_SAFE_INTEGER ? units * times : Number.POSITIVE_INFINITY

/** For people and JSON: 0.3, not 0.30000000000000004. What no finite number of units covers stays Infinity. */
export const unitsToNumber = (units: Units): number => (Number.isFinite(units) ? Number(`${units}e-12`) : units)

/** Exactly what these units are; they must be finite. */
export const unitsToRational = (units: Units): Rational => rational(BigInt(units), perOne)

/** The square root, to nine digits after the point and never above it: (k·10^-9)² is k²/10^6 units. */
export function rootOfUnits(units: Units): number {
  const near = Math.floor(Math.sqrt(1e6 * units))
  const isWithin = BigInt(near) ** 2n <= 1_000_000n * BigInt(units)
  return (isWithin ? near : near - 1) / 1e9
}
