import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  gaussianCharacteristic,
  gaussianHalfWidth,
  gaussianPmf,
  gaussianTail,
  gaussianVariance,
} from './discrete-gaussian.ts'

/** Both sides of every switch between two formulas (σ² = 1/2π = 0.15915 and 10^4), where the law can be summed up. */
const summable = [1e-4, 0.01, 0.05, 0.159, 0.1592, 0.3, 1, 2.5, 100, 9999, 10_001, 1e8]
/** Beyond 39σ a term is below the smallest double. */
const reach = (sigma2: number) => Math.ceil(39 * Math.sqrt(sigma2)) + 1

/** Σ f(k)·exp(-k²/2σ²) over |k| > w, unnormalised, smallest terms first, compensated: exact to a few units. */
function total(sigma2: number, f: (k: number) => number, w = -1): number {
  let [sum, lost] = [0, 0]
  for (let k = reach(sigma2); k > w; k--) {
    const term = f(k) * Math.exp((-k * k) / (2 * sigma2)) * (k > 0 ? 2 : 1) - lost
    const next = sum + term
    lost = next - sum - term
    sum = next
  }
  return sum
}
/**
 * A term exp(-x) carries two roundings of x, 2^-53 of it each: at x = 700 they are 1.6·10^-13; the rest is a few units.
 */
const relative = 4e-13

describe.each(summable)('σ² = %d', (sigma2) => {
  const mass = total(sigma2, () => 1)

  test('probabilities are the terms over their sum, and symmetric', () => {
    for (const k of [0, 1, 2, Math.floor(5 * Math.sqrt(sigma2)), Math.floor(30 * Math.sqrt(sigma2))]) {
      const expected = Math.exp((-k * k) / (2 * sigma2)) / mass
      expect(Math.abs(gaussianPmf(sigma2, k) - expected)).toBeLessThanOrEqual(relative * expected)
      expect(gaussianPmf(sigma2, -k)).toBe(gaussianPmf(sigma2, k))
    }
  })

  test('the tail is the sum beyond, however small', () => {
    for (const sigmas of [0, 0.1, 0.5, 1, 1.41, 1.42, 2, 3, 5, 8.8, 8.9, 10, 20, 30, 36]) {
      const w = Math.floor(sigmas * Math.sqrt(sigma2))
      const expected = total(sigma2, () => 1, w) / mass
      expect(Math.abs(gaussianTail(sigma2, w) - expected)).toBeLessThanOrEqual(relative * expected)
    }
  })

  test('the variance is the mean of squares', () => {
    const expected = total(sigma2, (k) => k * k) / mass
    expect(Math.abs(gaussianVariance(sigma2) - expected)).toBeLessThanOrEqual(relative * expected)
  })

  test('the characteristic function is the mean of cosines', () => {
    for (const t of [0, 1e-6, 1 / Math.sqrt(sigma2), 1, 3, Math.PI, 5, 2 * Math.PI, 40]) {
      const expected = total(sigma2, (k) => Math.cos(k * t)) / mass
      // Terms of both signs: the sum is right to some units of the mass, and cos(k·t) to the digits of k·t before its
      // point.
      const error = relative * (1 + Math.sqrt(sigma2) * t)
      expect(Math.abs(gaussianCharacteristic(sigma2, t) - expected)).toBeLessThan(error)
    }
  })
})

test('the characteristic function has its digits where it is tiny', () => {
  // At t = π the images at -π and π are equal, the others are nothing: 2·exp(-σ²π²/2), to the rounding of an exponent
  // of 200.
  expect(Math.abs(gaussianCharacteristic(40, Math.PI) / (2 * Math.exp(-20 * Math.PI ** 2)) - 1)).toBeLessThan(1e-13)
})

/** σ², w and Pr(|k| > w), computed with 50 digits: what the steps add to the continuous tail shows in the last ones. */
const knownTails = [
  [1e12, 500000, 0.6170747253866764],
  [1e12, 1000000, 0.31731026589222994],
  [1e12, 2000000, 0.0455002099054099],
  [1e12, 8000000, 1.2441870625900096e-15],
  [1e12, 36000000, 8.365097442026947e-284],
  [1e18, 500000000, 0.6170750770999085],
  [1e18, 1000000000, 0.31731050762094337],
  [1e18, 2000000000, 0.045500263842367446],
  [1e18, 8000000000, 1.2441921098020857e-15],
  [1e18, 36000000000, 8.365247980904095e-284],
] as const

test.each(knownTails)('at σ² = %d the tail beyond %d is %d', (sigma2, w, expected) => {
  expect(Math.abs(gaussianTail(sigma2, w) / expected - 1)).toBeLessThan(relative)
})

describe('where sums cannot reach, the continuous law is near', () => {
  test.each([1e12, 1e15, 1e18])('σ² = %d', (sigma2) => {
    const sigma = Math.sqrt(sigma2)
    expect(Math.abs(gaussianPmf(sigma2, 0) * sigma * Math.sqrt(2 * Math.PI) - 1)).toBeLessThan(1e-15)
    expect(gaussianVariance(sigma2)).toBe(sigma2)
    for (const u of [0, 0.3, 2, 9])
      expect(Math.abs(gaussianCharacteristic(sigma2, u / sigma) / Math.exp((-u * u) / 2) - 1)).toBeLessThan(1e-13)
    expect(Math.abs(gaussianHalfWidth(sigma2, 0.95) - 1.959963984540054 * sigma)).toBeLessThan(2)
  })
})

test('at tiny σ nothing overflows', () => {
  expect(gaussianPmf(1e-4, 0)).toBe(1)
  expect(gaussianPmf(1e-4, 1)).toBe(0)
  expect(gaussianVariance(1e-4)).toBe(0)
  expect(gaussianCharacteristic(1e-4, 1)).toBe(1)
  expect(gaussianTail(1e-4, 0)).toBe(0)
  expect(gaussianHalfWidth(1e-4, 0.999)).toBe(0)
})

test('the half-width is the smallest that keeps the confidence', () => {
  const variances = fc.double({ min: -4, max: 18, noNaN: true }).map((e) => 10 ** e)
  const confidences = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(variances, confidences, (sigma2, confidence) => {
      const w = gaussianHalfWidth(sigma2, confidence)
      expect(Number.isSafeInteger(w) && w >= 0).toBe(true)
      expect(gaussianTail(sigma2, w)).toBeLessThanOrEqual(1 - confidence)
      if (w > 0) expect(gaussianTail(sigma2, w - 1)).toBeGreaterThan(1 - confidence)
    }),
    { numRuns: 1000 },
  )
})

test('certainty has no width, and a width beyond 2^53 is a double', () => {
  expect(gaussianHalfWidth(100, 1)).toBe(Number.POSITIVE_INFINITY)
  expect(Math.abs(gaussianHalfWidth(1e40, 0.95) / 1.959963984540054e20 - 1)).toBeLessThan(1e-12)
})
