import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  laplaceCharacteristic,
  laplaceHalfWidth,
  laplacePmf,
  laplaceScale,
  laplaceTail,
  laplaceVariance,
} from './discrete-laplace.ts'

/** Small enough that all of the law but 10^-17 can be summed up term by term. */
const summable = [0.01, 0.1, 0.3, 1, 2.5, 17, 400, 20_000]
const reach = (scale: number) => Math.ceil(40 * scale)

/** Σ f(k)·P(k), smallest terms first, with the compensation that keeps 10^6 additions exact to a few units. */
function expectation(scale: number, f: (k: number) => number): number {
  let [sum, lost] = [0, 0]
  for (let k = reach(scale); k >= 0; k--) {
    const term = f(k) * laplacePmf(scale, k) * (k > 0 ? 2 : 1) - lost
    const next = sum + term
    lost = next - sum - term
    sum = next
  }
  return sum
}
/** Each term carries a few roundings of relative size 2^-53, of exp's argument up to 40 of them. */
const relative = 1e-13

describe.each(summable)('scale %d', (scale) => {
  test('the probabilities add up to 1', () => {
    expect(Math.abs(expectation(scale, () => 1) - 1)).toBeLessThan(relative)
  })

  test('they fall by exp(-1/scale) and are symmetric', () => {
    for (const k of [0, 1, 5]) {
      const [here, next] = [laplacePmf(scale, k), laplacePmf(scale, k + 1)]
      expect(Math.abs(next - here * Math.exp(-1 / scale))).toBeLessThanOrEqual(relative * next)
      expect(laplacePmf(scale, -k)).toBe(here)
    }
  })

  test('the tail is the sum beyond', () => {
    for (const w of [0, 1, Math.floor(scale), Math.floor(3 * scale)]) {
      const summed = expectation(scale, (k) => (k > w ? 1 : 0))
      // The sum stops at 40 scales: it lacks at most e^-40 of the whole.
      expect(Math.abs(laplaceTail(scale, w) - summed)).toBeLessThanOrEqual(relative * summed + Math.exp(-40))
    }
  })

  test('the variance is the sum of squares', () => {
    const summed = expectation(scale, (k) => k * k)
    // Beyond 40 scales lie about 40²·e^-40 of it, below 10^-14.
    expect(Math.abs(laplaceVariance(scale) - summed)).toBeLessThan(relative * summed + Math.exp(-40))
  })

  test('the variance tells the scale', () => {
    expect(Math.abs(laplaceScale(laplaceVariance(scale)) / scale - 1)).toBeLessThan(relative)
  })

  test('the characteristic function is the mean of cosines', () => {
    for (const t of [0, 1e-6, 0.1 / scale, 1, Math.PI]) {
      const summed = expectation(scale, (k) => Math.cos(k * t))
      // cos(k·t) loses the digits of k·t before its point: up to 40·scale·t units.
      expect(Math.abs(laplaceCharacteristic(scale, t) - summed)).toBeLessThan(relative * (1 + scale * t))
    }
  })
})

describe('where sums cannot reach, the continuous law is near', () => {
  test.each([1e6, 1e9])('scale %d', (scale) => {
    // The discrete law differs from the continuous one by 1/scale, relatively; the variance by 1/(12·scale²).
    expect(Math.abs(laplacePmf(scale, 0) * 2 * scale - 1)).toBeLessThan(1 / scale)
    expect(Math.abs(laplaceVariance(scale) / (2 * scale * scale) - 1)).toBeLessThan(1e-12)
    expect(Math.abs(laplaceTail(scale, 3 * scale) / Math.exp(-3) - 1)).toBeLessThan(1 / scale)
    expect(Math.abs(laplaceCharacteristic(scale, 2 / scale) - 1 / 5)).toBeLessThan(1e-12)
    expect(Math.abs(laplaceHalfWidth(scale, 0.95) - scale * Math.log(20))).toBeLessThan(1)
  })
})

test('at tiny scales nothing overflows', () => {
  for (const scale of [1e-2, 1e-3, 1e-4]) {
    expect(laplacePmf(scale, 0)).toBe(1)
    expect(laplaceCharacteristic(scale, 1)).toBe(1)
    expect(laplaceVariance(scale)).toBeLessThan(1e-40)
    expect(laplaceHalfWidth(scale, 0.999)).toBe(0)
  }
  expect(laplaceScale(0)).toBe(0)
})

test('the half-width is the smallest that keeps the confidence', () => {
  const scales = fc.double({ min: -2, max: 9, noNaN: true }).map((e) => 10 ** e)
  const confidences = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(scales, confidences, (scale, confidence) => {
      const w = laplaceHalfWidth(scale, confidence)
      expect(Number.isSafeInteger(w) && w >= 0).toBe(true)
      expect(laplaceTail(scale, w)).toBeLessThanOrEqual(1 - confidence)
      if (w > 0) expect(laplaceTail(scale, w - 1)).toBeGreaterThan(1 - confidence)
    }),
    { numRuns: 1000 },
  )
})

test('certainty has no width, and a scale beyond 2^53 has one', () => {
  expect(laplaceHalfWidth(10, 1)).toBe(Number.POSITIVE_INFINITY)
  expect(Math.abs(laplaceHalfWidth(1e20, 0.95) / (1e20 * Math.log(20)) - 1)).toBeLessThan(1e-12)
})
