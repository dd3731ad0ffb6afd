import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incompleteBeta } from './beta.ts'
import { lowerBound, upperBound } from './clopper-pearson.ts'

/** Pr(at least k heads of n) term by term. */
function tail(k: number, n: number, p: number): number {
  let sum = 0
  let choose = 1
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += choose * p ** i * (1 - p) ** (n - i)
    choose *= (n - i) / (i + 1)
  }
  return sum
}

test('the incomplete beta function is the tail of a binomial sum', () => {
  for (const n of [1, 2, 5, 20, 60])
    for (let k = 1; k <= n; k++)
      for (const p of [0.001, 0.1, 0.37, 0.5, 0.9, 0.999]) {
        const expected = tail(k, n, p)
        // 60 terms of doubles, and the ln Γ of 60: both below 10^-12 of the result, or of 1 where it is 1 minus little.
        expect(Math.abs(incompleteBeta(p, k, n - k + 1) - expected)).toBeLessThan(1e-12 * Math.max(expected, 1e-3))
      }
})

test('it is 0 and 1 at the ends, and symmetric', () => {
  expect(incompleteBeta(0, 3, 4)).toBe(0)
  expect(incompleteBeta(1, 3, 4)).toBe(1)
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat(1e6),
      (x, a, b) => {
        const [one, other] = [incompleteBeta(x, a, b + 1), 1 - incompleteBeta(1 - x, b + 1, a)]
        // Each side's own error, 10^-8 at these sizes.
        expect(Math.abs(one - other)).toBeLessThan(1e-7)
      },
    ),
  )
})

// Textbook values of the two-sided 95% interval: no heads of 10 gives 1 - 0.025^(1/10); Johnson, Kotz; R's binom.test(4, 10).
test('intervals that others have printed', () => {
  expect(upperBound({ hits: 0, trials: 10 }, 0.025)).toBeCloseTo(1 - 0.025 ** 0.1, 6)
  expect(lowerBound({ hits: 10, trials: 10 }, 0.025)).toBeCloseTo(0.025 ** 0.1, 6)
  expect(lowerBound({ hits: 4, trials: 10 }, 0.025)).toBeCloseTo(0.1215523, 6)
  expect(upperBound({ hits: 4, trials: 10 }, 0.025)).toBeCloseTo(0.7376219, 6)
  expect(lowerBound({ hits: 0, trials: 10 }, 0.025)).toBe(0)
  expect(upperBound({ hits: 10, trials: 10 }, 0.025)).toBe(1)
})

// What the bound promises, by enumeration: the counts that would put it on the wrong side of p have probability at most α.
test('a bound is wrong with at most the stated probability, for every p', () => {
  const n = 40
  for (const alpha of [0.2, 0.025, 1e-6])
    for (const p of [0.003, 0.05, 0.2, 0.5, 0.77, 0.99]) {
      const mass = (k: number) => tail(k, n, p) - tail(k + 1, n, p)
      let [above, below] = [0, 0]
      for (let hits = 0; hits <= n; hits++) {
        if (lowerBound({ hits, trials: n }, alpha) > p) above += mass(hits)
        if (upperBound({ hits, trials: n }, alpha) < p) below += mass(hits)
      }
      // Differences of sums near 1 leave 10^-14.
      expect(above).toBeLessThanOrEqual(alpha + 1e-14)
      expect(below).toBeLessThanOrEqual(alpha + 1e-14)
    }
})

test('bounds close in on the share as trials grow', () => {
  const share = (trials: number) => ({ hits: trials / 10, trials })
  const widths = [100, 1e4, 1e6, 1e7].map((n) => upperBound(share(n), 5e-7) - lowerBound(share(n), 5e-7))
  // ±4.89 standard errors of a share of a tenth.
  for (const [i, n] of [1e4, 1e6, 1e7].entries()) {
    const normal = 2 * 4.89 * Math.sqrt(0.09 / n)
    expect(widths[i + 1]! / normal).toBeGreaterThan(0.97)
    expect(widths[i + 1]! / normal).toBeLessThan(1.03)
  }
  expect(widths[0]).toBeGreaterThan(widths[1]!)
})
