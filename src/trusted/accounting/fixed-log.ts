import { ceil, type Rational, rational } from '../../numeric/index.ts'

/*
 * Logarithms of fractions between certain bounds, in integers: Math.log promises no accuracy, and a budget must not
 * rest on it. A fixed number is an integer count of 2^-128.
 */
const places = 128n
const unit = 1n << places

/** The value as a fixed number, rounded up. */
export const fixedUp = ({ num, den }: Rational): bigint => ceil({ num: num << places, den })

export const fixedToRational = (value: bigint): Rational => rational(value, unit)

/** The least double that is not below a fixed number, which is at least 0: 53 binary digits, the rest rounded up. */
export function fixedToNumberUp(value: bigint): number {
  const cut = 1n << BigInt(Math.max(0, length(value) - 53))
  return Number(((value + cut - 1n) / cut) * cut) / Number(unit)
}

/**
 * atanh(num/den) for |num/den| ≤ 1/3, by its series, off by less than 2^8 units: at most 41 terms count, each is off by
 * less than 4 through the cut of y, of its square and of its powers, and those left out are together below 4.
 */
function atanh(num: bigint, den: bigint): bigint {
  if (num < 0n) return -atanh(-num, den)
  const y = (num << places) / den
  const square = (y * y) >> places
  let sum = 0n
  for (let power = y, k = 1n; power !== 0n; k += 2n) {
    sum += power / k
    power = (power * square) >> places
  }
  return sum
}

const log2 = 2n * atanh(1n, 3n)

/**
 * Fixed numbers that ln(value) lies between, for a value above 0. With value = m·2^e, m between 1/2 and 2, it is
 * 2·atanh((m-1)/(m+1)) + e·ln 2: off by less than 2^9 units for the first and for each ln 2.
 */
export function logBounds({ num, den }: Rational): { low: bigint; high: bigint } {
  const e = BigInt(length(num) - length(den))
  const [top, bottom] = e >= 0n ? [num, den << e] : [num << -e, den]
  const near = 2n * atanh(top - bottom, top + bottom) + e * log2
  const error = (1n + (e < 0n ? -e : e)) << 9n
  return { low: near - error, high: near + error }
}

const length = (positive: bigint): number => positive.toString(2).length
