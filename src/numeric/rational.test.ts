import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  ceil,
  compare,
  divide,
  equals,
  floor,
  fromNumber,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
  toText,
  zero,
} from './rational.ts'

const any = fc
  .tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n }))
  .map(([n, d]) => rational(n, d))
const size = (v: bigint) => (v < 0n ? -v : v)

describe('a field', () => {
  test('addition and multiplication', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(add(a, b)).toEqual(add(b, a))
        expect(multiply(a, b)).toEqual(multiply(b, a))
        expect(add(add(a, b), c)).toEqual(add(a, add(b, c)))
        expect(multiply(multiply(a, b), c)).toEqual(multiply(a, multiply(b, c)))
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)))
        expect([add(a, zero), multiply(a, one)]).toEqual([a, a])
        expect(add(a, negate(a))).toEqual(zero)
        expect(subtract(a, b)).toEqual(add(a, negate(b)))
        if (b.num !== 0n) expect(multiply(divide(a, b), b)).toEqual(a)
      }),
    )
    expect(() => divide(one, zero)).toThrow(RangeError)
  })

  test('order, floor and ceiling', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(compare(a, b)).toBe(Math.sign(Number(subtract(a, b).num)))
        expect(equals(a, b)).toBe(compare(a, b) === 0)
        const [down, up] = [rational(floor(a)), rational(ceil(a))]
        expect(compare(down, a) <= 0 && compare(a, add(down, one)) < 0).toBe(true)
        expect(compare(up, a) >= 0 && compare(a, subtract(up, one)) > 0).toBe(true)
      }),
    )
    expect([floor(rational(-1, 2)), ceil(rational(-1, 2)), floor(rational(-4, 2))]).toEqual([-1n, 0n, -2n])
  })

  test('lowest terms, positive denominator', () => {
    expect(rational(6, -4)).toEqual({ num: -3n, den: 2n })
    expect(rational(0, -7)).toEqual({ num: 0n, den: 1n })
    expect(() => rational(1, 0)).toThrow(RangeError)
  })
})

describe('text', () => {
  test('what is printed is read back', () => {
    fc.assert(fc.property(any, (a) => void expect(parseRational(toText(a))).toEqual(a)))
  })

  test('a double is read by its shortest text, which is near it', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(finite, (x) => void expect(withinOneUnit(fromNumber(x), x)).toBe(true)))
    for (const x of [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE]) {
      expect(withinOneUnit(fromNumber(x), x)).toBe(true)
    }
    expect(fromNumber(0.1)).toEqual(rational(1, 10))
    expect(fromNumber(1e-7)).toEqual(rational(1, 10_000_000))
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => fromNumber(x)).toThrow(RangeError)
  })

  test.each<[string, bigint, bigint]>([
    ['7', 7n, 1n],
    ['-0.50', -1n, 2n],
    [' +.5 ', 1n, 2n],
    ['5.', 5n, 1n],
    ['1e-3', 1n, 1000n],
    ['1.5E2', 150n, 1n],
    ['-6/4', -3n, 2n],
    ['007', 7n, 1n],
  ])('%j', (text, num, den) => expect(parseRational(text)).toEqual({ num, den }))

  test.each([
    '',
    '.',
    '-',
    'e5',
    '1e',
    '1e99999',
    '1/0',
    '1/-2',
    '0x10',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '1 2',
    '½',
  ])('%j is no number', (text) => expect(parseRational(text)).toBeUndefined())
})

/** Is the fraction no farther from the double than the next larger double is? */
function withinOneUnit(a: Rational, x: number): boolean {
  const units = new DataView(new ArrayBuffer(8))
  units.setFloat64(0, Math.abs(x))
  const above = units.getBigUint64(0) + 1n
  units.setBigUint64(0, above)
  const gap = subtract(exactly(units.getFloat64(0)), exactly(Math.abs(x)))
  const error = subtract(a, exactly(x))
  return compare({ num: size(error.num), den: error.den }, gap) <= 0
}
/** A finite double is an integer times a power of two: no rounding anywhere. Beyond the largest comes 2^1024. */
function exactly(x: number): Rational {
  if (x === Number.POSITIVE_INFINITY) return rational(2n ** 1024n)
  let exponent = 0
  while (!Number.isInteger(x)) {
    x *= 2
    exponent++
  }
  return rational(BigInt(x), 2n ** BigInt(exponent))
}

describe('as a double', () => {
  const wide = fc
    .tuple(
      fc.bigInt({ min: -(2n ** 1100n), max: 2n ** 1100n }),
      fc.bigInt({ min: 1n, max: 2n ** 1100n }),
      fc.nat(1100),
      fc.nat(1100),
    )
    .map(([n, d, i, j]) => rational(n >> BigInt(i), (d >> BigInt(j)) + 1n))

  test('within one unit in the last place, from subnormal to huge', () => {
    fc.assert(
      fc.property(wide, (a) => {
        const x = toNumber(a)
        if (Number.isFinite(x)) expect(withinOneUnit(a, x)).toBe(true)
        else expect(size(a.num)).toBeGreaterThanOrEqual((2n ** 1024n - 2n ** 970n) * a.den)
      }),
      { numRuns: 500 },
    )
  })

  test.each<[Rational, number]>([
    [rational(1, 2n ** 1030n), 2 ** -1030],
    [rational(-3, 2n ** 1074n), -3 * 2 ** -1074],
    [rational(2n ** 1080n, 3n ** 2n * 2n ** 1000n), 2 ** 80 / 9],
    [rational(1, 2n ** 1200n), 0],
    [rational(2n ** 1100n, 3n), Number.POSITIVE_INFINITY],
    [rational(-(2n ** 1100n)), Number.NEGATIVE_INFINITY],
    [rational(2n ** 53n - 1n), 2 ** 53 - 1],
    [zero, 0],
  ])('%o', (a, x) => expect(toNumber(a)).toBe(x))
})
