import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expBounds, LazyUniform } from './certified.ts'
import { leastHighWord, minusLog, minusLogError } from './minus-log.ts'

const exponent = fc.tuple(fc.bigInt(0n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n))

test('bounds of exp(-x) are close, and sharper ones lie inside', () => {
  fc.assert(
    fc.property(exponent, fc.integer({ min: 8, max: 200 }), ([num, den], precision) => {
      const coarse = expBounds(num, den, precision)
      const fine = expBounds(num, den, precision + 64)
      expect(coarse.high - coarse.low).toBeLessThanOrEqual(4n)
      expect(coarse.low << 64n).toBeLessThanOrEqual(fine.high)
      expect(coarse.high << 64n).toBeGreaterThanOrEqual(fine.low)
    }),
  )
})

// exp(-1) from its continued fraction 0; 2, 1, 1, 2, 1, 1, 4, 1, 1, 6, …: convergents enclose it ever more tightly.
test('exp(-1) agrees with the continued fraction of e', () => {
  let [p0, q0, p1, q1] = [1n, 0n, 2n, 1n]
  for (let i = 1n; i < 90n; i++) {
    const a = i % 3n === 2n ? (2n * (i + 1n)) / 3n : 1n
    ;[p0, q0, p1, q1] = [p1, q1, a * p1 + p0, a * q1 + q0]
  }
  const [x, y] = [(q0 << 256n) / p0, (q1 << 256n) / p1]
  const { low, high } = expBounds(7n, 7n, 256)
  expect(low).toBeLessThanOrEqual(x < y ? y : x)
  expect(high).toBeGreaterThanOrEqual(x < y ? x : y)
  expect(y - x < 4n && x - y < 4n).toBe(true)
})

test('a lazy uniform draws just as many bits as the comparison needs', () => {
  const words = [2 ** 31, 5, 77]
  const bits = { uint32: () => words.shift()! }
  const third = (precision: number) => ({ low: 2n ** BigInt(precision) / 3n, high: 2n ** BigInt(precision) / 3n + 1n })
  expect(new LazyUniform(1n, 2, bits).isBelow(third)).toBe(false)
  expect(words).toEqual([5, 77])
  // 0.01010101… in 32 bits, and then less: below one third.
  const close = new LazyUniform(0x55555555n, 32, { uint32: () => 0 })
  expect(close.isBelow(third)).toBe(true)
  expect(close.length).toBe(64)
})

/**
 * Whether |estimate + ln u| ≤ e for u = value/2^52, decided in integers: exp(-(estimate+e)) ≤ u ≤ exp(-(estimate-e)).
 */
function isWithin(estimate: number, error: number, value: bigint): boolean {
  const [units, e] = [BigInt(estimate * 2 ** 100), BigInt(error * 2 ** 100)]
  const u = value << 100n
  const least = expBounds(units + e, 2n ** 100n, 152).low
  const most = units > e ? expBounds(units - e, 2n ** 100n, 152).high : 2n ** 152n
  return least <= u && u <= most
}

test('the fast logarithm keeps its proven error, at random and at the edges of its cells', () => {
  const check = (high: number, low: number) =>
    expect(isWithin(minusLog(high, low), minusLogError, BigInt(high) * 2n ** 20n + BigInt(low))).toBe(true)
  for (let cell = 128; cell <= 255; cell++)
    for (const zeros of [0, 1, 7, 19]) {
      check((cell * 2 ** 24) / 2 ** zeros, 0)
      check(Math.floor(((cell + 1) * 2 ** 24 - 1) / 2 ** zeros), 2 ** 20 - 1)
    }
  const low = fc.integer({ min: 0, max: 2 ** 20 - 1 })
  fc.assert(
    fc.property(fc.integer({ min: leastHighWord, max: 2 ** 32 - 1 }), low, (h, l) => {
      check(h, l)
    }),
    { numRuns: 500 },
  )
  // The check itself can fail: an error 2^-40 off is seen.
  expect(isWithin(minusLog(3 * 2 ** 30, 0) + 2 ** -40, minusLogError, 3n * 2n ** 50n)).toBe(false)
})
