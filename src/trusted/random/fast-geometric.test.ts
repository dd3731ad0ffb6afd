import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asWords, scripted } from '../../../test/statistical/scripted.ts'
import { seededBits } from '../../evaluation/index.ts'
import { type Rational, rational } from '../../numeric/index.ts'
import { expBounds } from './certified.ts'
import { fastGeometric, fastLaplaces, isFast, nearScale } from './fast-geometric.ts'

/** Scales from 10^-2 to 2^36 with all kinds of numerators and denominators. */
const scales = fc
  .tuple(fc.bigInt(1n, 10n ** 14n), fc.bigInt(1n, 10n ** 14n))
  .map(([num, den]) => rational(num, den))
  .filter((scale) => isFast(scale) && scale.num * 100n >= scale.den)

/** floor(-b ln U) for U = value/2^length, by bisection over integers with bounds far finer than U. */
function slowInverse({ num, den }: Rational, value: bigint, length: number): bigint {
  const reaches = (k: bigint) => value << 64n < expBounds(k * den, num, length + 64).low
  let high = 1n
  while (reaches(high)) high *= 2n
  let low = 0n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (reaches(middle)) low = middle
    else high = middle
  }
  return low
}

test('inversion in doubles gives what inversion in integers gives', () => {
  fc.assert(
    fc.property(scales, fc.bigInt(2n ** 178n, 2n ** 180n - 1n), fc.nat(30), (scale, bits, zeros) => {
      const value = bits >> BigInt(zeros)
      expect(BigInt(fastGeometric(nearScale(scale), scale, scripted(asWords(value))))).toBe(
        slowInverse(scale, value, 180),
      )
    }),
    { numRuns: 300 },
  )
})

// The hard cases: U agrees with exp(-k/b) in its first 170 bits, and only what follows tells on which side it lies.
test('a uniform number right beside a step is decided exactly', () => {
  fc.assert(
    fc.property(scales, fc.nat(1000), (scale, step) => {
      const k = BigInt(step) + 1n
      const edge = expBounds(k * scale.den, scale.num, 180)
      fc.pre(edge.low > 2n ** 90n)
      const near = nearScale(scale)
      expect(fastGeometric(near, scale, scripted(asWords(edge.low - 1n)))).toBe(step + 1)
      const past = BigInt(fastGeometric(near, scale, scripted(asWords(edge.high))))
      expect(past).toBeLessThanOrEqual(BigInt(step))
      expect(past).toBe(slowInverse(scale, edge.high, 180))
    }),
    { numRuns: 200 },
  )
})

test('zero is decided exactly where a word agrees with its probability', () => {
  const scale = rational(1)
  const a = expBounds(1n, 1n, 200)
  const one = 2n ** 200n
  const edge = ((one - a.high) << 96n) / (one + a.high)
  const [first, second, third] = [edge >> 64n, (edge >> 32n) & 0xffffffffn, edge & 0xffffffffn].map(Number)
  const draw = (last: number) => fastLaplaces(scale, 1, scripted([first!, second!, last, 2 ** 31, 0]))[0]
  expect(draw(third! - 2)).toBe(0)
  expect(Math.abs(draw(third! + 2)!)).toBe(1)
})

test('scales out of reach are told apart', () => {
  expect(isFast(rational(2n ** 36n))).toBe(true)
  expect(isFast(rational(2n ** 36n + 1n))).toBe(false)
  expect(isFast({ num: 1n, den: 2n ** 901n })).toBe(false)
  const bits = seededBits(4)
  const tiny = rational(1n, 2n ** 800n)
  expect(fastGeometric(nearScale(tiny), tiny, bits)).toBe(0)
})
