import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, fromNumber, rational } from '../../numeric/index.ts'
import { fixedToNumberUp, fixedToRational, fixedUp, logBounds } from './fixed-log.ts'

const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 2n ** 200n }), fc.bigInt({ min: 1n, max: 2n ** 200n }))
  .map(([num, den]) => rational(num, den))

test('ln 2, ln 10 and ln 0.001 lie between their bounds, to 33 digits', () => {
  // The digits of ln 2 and ln 10 (OEIS A002162, A002392), to 40 places.
  const ln2 = rational(6931471805599453094172321214581765680755n, 10n ** 40n)
  const ln10 = rational(23025850929940456840179914546843642076011n, 10n ** 40n)
  for (const [value, expected] of [
    [rational(2), ln2],
    [rational(10), ln10],
    [rational(1, 1000), rational(-3n * ln10.num, ln10.den)],
  ] as const) {
    const { low, high } = logBounds(value)
    expect(compare(fixedToRational(low), expected)).toBeLessThan(0)
    expect(compare(fixedToRational(high), expected)).toBeGreaterThan(0)
    expect(high - low).toBeLessThan(2n ** 17n)
  }
})

test('the bounds of a product and of the sum of logarithms meet', () => {
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const [of, left, right] = [rational(a.num * b.num, a.den * b.den), logBounds(a), logBounds(b)]
      expect(logBounds(of).low).toBeLessThanOrEqual(left.high + right.high)
      expect(logBounds(of).high).toBeGreaterThanOrEqual(left.low + right.low)
    }),
  )
})

test('Math.log agrees', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      const near = Number(logBounds(fromNumber(x)).low) / 2 ** 128
      // The shortest decimal text of x is within 2^-53 of it; the rest is Math.log's own last place.
      expect(Math.abs(near - Math.log(x))).toBeLessThanOrEqual(2 ** -51 * Math.max(1, Math.abs(near)))
    }),
  )
})

test('conversions round up, to the least double that is not below', () => {
  // Above 2^-64, so that doubles next to it are whole numbers of 2^-128.
  const large = positive.filter(({ num, den }) => num * 2n ** 64n > den)
  fc.assert(
    fc.property(large, (value) => {
      const fixed = fixedUp(value)
      expect(compare(fixedToRational(fixed), value)).toBeGreaterThanOrEqual(0)
      expect(compare(fixedToRational(fixed - 1n), value)).toBeLessThan(0)
      const double = fixedToNumberUp(fixed) * 2 ** 128
      expect(BigInt(double)).toBeGreaterThanOrEqual(fixed)
      expect(BigInt(before(double))).toBeLessThan(fixed)
    }),
  )
})

/** The next smaller double. */
const before = (x: number): number => {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)
  bits[0]! -= 1n
  return new Float64Array(bits.buffer)[0]!
}
