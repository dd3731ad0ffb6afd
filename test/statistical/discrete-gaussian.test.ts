import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/seeded.ts'
import { rational, toNumber } from '../../src/numeric/index.ts'
import { discreteGaussian, discreteGaussians } from '../../src/trusted/random/index.ts'
import { chiSquareTail, fits } from './goodness.ts'

/** Pr(K ≤ k) by summing the law; beyond σ = 10^4 the normal law at k + 1/2, whose error is of order 10^-9. */
function gaussianCdf(variance: number): (k: number) => number {
  if (variance > 1e8) {
    return (k) => {
      const x = (Math.floor(k) + 0.5) / Math.sqrt(variance)
      const tail = chiSquareTail(x * x, 1) / 2
      return x < 0 ? tail : 1 - tail
    }
  }
  const reach = Math.ceil(12 * Math.sqrt(variance)) + 2
  const sums = new Float64Array(2 * reach + 1)
  let total = 0
  for (let i = 0; i < sums.length; i++) sums[i] = total += Math.exp(-((i - reach) ** 2) / (2 * variance))
  return (k) => {
    const i = Math.floor(k) + reach
    return i < 0 ? 0 : i >= sums.length ? 1 : sums[i]! / total
  }
}

const variances = {
  '1/5': rational(1, 5),
  '1': rational(1),
  '50/7': rational(50, 7),
  '10^6 + 1/3': rational(3 * 10 ** 6 + 1, 3),
  '10^14': rational(10n ** 14n),
}
const draws = 100_000

// Each test of a true law fails once in 10^6 seeds.
for (const [name, variance] of Object.entries(variances)) {
  const v = toNumber(variance)
  const forms = {
    'one by one': () => {
      const bits = seededBits(77)
      return Array.from({ length: draws }, () => discreteGaussian(variance, bits))
    },
    'in bulk': () => discreteGaussians(variance, draws, seededBits(78)),
  }
  for (const [form, sample] of Object.entries(forms))
    test(`variance ${name}, ${form}: accepts the true law, rejects a σ off by 30%`, () => {
      const values = sample()
      expect(fits(values, gaussianCdf(v))).toBe(true)
      expect(fits(values, gaussianCdf(v * 1.69))).toBe(false)
      expect(fits(values, gaussianCdf(v / 1.69))).toBe(false)
    })
}

test('variances beyond doubles come as BigInts, and none at all is refused', () => {
  const bits = seededBits(79)
  const wide = discreteGaussians(rational(10n ** 40n), 20, bits)
  expect(wide).toHaveLength(20)
  expect((wide as bigint[]).some((k) => k > 2n ** 60n || k < -(2n ** 60n))).toBe(true)
  expect([...discreteGaussians(rational(1n, 10n ** 30n), 100, bits)].every((k) => k === 0)).toBe(true)
  expect(() => discreteGaussian(rational(0), bits)).toThrow(RangeError)
  expect(() => discreteGaussians(rational(-1), 1, bits)).toThrow(RangeError)
})
