import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bruteForce, type Exact, latticeTerms } from '../../../test/support/error-law.ts'
import { seededBits } from '../../evaluation/index.ts'
import { arrange } from './arrangement.ts'
import { errorLawByCharacteristic } from './characteristic.ts'
import { errorLawByConvolution } from './convolution.ts'
import type { ErrorLaw } from './error-law.ts'
import { errorLawByMonteCarlo } from './monte-carlo.ts'
import { aliased, seriesLaw } from './series.ts'
import { tailReach } from './tail.ts'

/** Brute force leaves out 10^-14 of each of at most 9 noises; transforms round and alias by 10^-11. */
const tolerance = 1e-10

function expectLaw(p: ErrorLaw, exact: Exact, step: number): void {
  for (const k of [0, 1, 2, 3, 7, 20]) {
    const [below, upTo] = [(1 + exact.within(k - 1)) / 2, (1 + exact.within(k)) / 2]
    expect(Math.abs(p.between(k * step, k * step) - exact.at(k))).toBeLessThan(tolerance)
    expect(Math.abs(p.cdf(k * step) - upTo)).toBeLessThan(tolerance)
    expect(Math.abs(p.cdf((k + 0.5) * step) - upTo)).toBeLessThan(tolerance)
    expect(Math.abs(p.cdf(-(k + 0.5) * step) - (1 - upTo))).toBeLessThan(tolerance)
    expect(Math.abs(p.between(-k * step, k * step) - exact.within(k))).toBeLessThan(tolerance)
    // θ = 10 - error: above 10 - k exactly when the error is below k.
    if (k > 0) expect(Math.abs(p.above(10, 10 - k * step) - below)).toBeLessThan(tolerance)
    expect(Math.abs(p.atLeast(10, 10 - k * step) - upTo)).toBeLessThan(tolerance)
  }
}

/** The smallest number of steps that holds the error with this probability. */
function exactHalfWidth(exact: Exact, confidence: number): number {
  let w = 0
  while (exact.within(w) < confidence && w < exact.reach) w++
  return w
}

describe('on a lattice', () => {
  test.each([
    ['characteristic functions', errorLawByCharacteristic],
    ['convolution', errorLawByConvolution],
  ] as const)('%s give the probabilities that adding up gives', (_, method) => {
    fc.assert(
      fc.property(latticeTerms, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ({ terms, step }, confidence) => {
        const exact = bruteForce(terms, step)
        const p = method(terms)
        expectLaw(p, exact, step)
        const w = p.halfWidth(confidence) / step
        expect(exact.within(w)).toBeGreaterThanOrEqual(confidence)
        // No wider than needed, but where the probability is the confidence to the tenth digit.
        expect(w).toBeLessThanOrEqual(exactHalfWidth(exact, confidence + 2 * tolerance) + 1e-6)
        expect(p.interval(5, confidence)).toEqual([5 - p.halfWidth(confidence), 5 + p.halfWidth(confidence)])
      }),
      { numRuns: 200 },
    )
  })

  test('Monte Carlo keeps to its bound', () => {
    let seed = 0
    // The bound fails once in 10^6 runs for each of these 20.
    fc.assert(
      fc.property(latticeTerms, ({ terms, step }) => {
        const exact = bruteForce(terms, step)
        const p = errorLawByMonteCarlo(terms, { samples: 20_000, uniform: seededBits(++seed).uniform })
        for (let k = 0; k < 40; k++) {
          expect(Math.abs(p.between(-k * step, k * step) - exact.within(k))).toBeLessThan(p.slack)
        }
        expect(exact.within(p.halfWidth(0.9) / step)).toBeGreaterThanOrEqual(0.9)
      }),
      { numRuns: 20 },
    )
  })
})

describe('the blurred series, where the truth is known', () => {
  test('never promises more than is true, nor is it wider than two blurs', () => {
    fc.assert(
      fc.property(
        latticeTerms,
        fc.double({ min: 0.5, max: 0.999, noNaN: true }),
        fc.constantFrom(0.01, 0.03, 0.2),
        ({ terms, step }, confidence, part) => {
          const a = arrange(terms.filter(({ coefficient }) => coefficient !== 0))
          const law = seriesLaw(a, tailReach(a, aliased), part * a.deviation)
          const exact = bruteForce(terms, step)
          expect(law.slack).toBeLessThan(1e-8)
          const w = law.halfWidth(confidence)
          expect(exact.within(w / step)).toBeGreaterThanOrEqual(confidence)
          const needed = exactHalfWidth(exact, confidence + 2 * law.slack + tolerance) * step
          expect(w).toBeLessThanOrEqual(needed + 2 * law.blur + 1e-8 * a.deviation)
          for (let k = 0; k < 20; k++) {
            // Pr(|error| ≤ x - blur) ≤ Pr(|error moved| ≤ x) ≤ Pr(|error| ≤ x + blur), to the slack.
            const x = (k / 4) * a.deviation
            const value = law.atMost(x)
            expect(value).toBeGreaterThanOrEqual(exact.within((x - law.blur) / step - 2e-7) - law.slack - tolerance)
            expect(value).toBeLessThanOrEqual(exact.within((x + law.blur) / step) + law.slack + tolerance)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('masses add up to 1 and their sums are the distribution', () => {
    const terms = [
      { law: { kind: 'laplace', scale: 5 }, coefficient: Math.SQRT2, count: 2 },
      { law: { kind: 'gaussian', variance: 9 }, coefficient: 1, count: 1 },
    ] as const
    const p = errorLawByCharacteristic(terms)
    const masses = p.masses(1)
    const middle = (masses.length - 1) / 2
    const upTo = (k: number) => masses.slice(0, middle + k + 1).reduce((a, b) => a + b, 0)
    expect(upTo(middle)).toBeCloseTo(1, 9)
    for (const k of [-20, -3, 0, 4, 30]) expect(upTo(k)).toBeCloseTo(p.cdf(k + 0.5), 9)
    // What moved by at most half a bin and a blur has a standard deviation that changed by no more (Minkowski).
    const second = masses.reduce((sum, m, i) => sum + m * (i - middle) ** 2, 0)
    expect(Math.abs(Math.sqrt(second) - Math.sqrt(p.variance))).toBeLessThan(0.5 + p.blur)
  })
})

describe('special cases', () => {
  test('no noise', () => {
    for (const p of [errorLawByCharacteristic([]), errorLawByConvolution([])]) {
      expect(p.halfWidth(0.99)).toBe(0)
      expect([p.above(3, 3), p.atLeast(3, 3), p.above(3, 2)]).toEqual([0, 1, 1])
    }
  })

  test('one noise is its own law', () => {
    const p = errorLawByCharacteristic([{ law: { kind: 'laplace', scale: 10 }, coefficient: -0.1, count: 1 }])
    expect([p.blur, p.slack]).toEqual([0, 0])
    const q = Math.exp(-1 / 10)
    // Pr(error ≤ 0.3) = Pr(k ≤ 3), though 0.3/0.1 is below 3 in doubles.
    expect(p.cdf(0.3)).toBeCloseTo(1 - q ** 4 / (1 + q), 12)
    expect(p.above(0.3, 0)).toBeCloseTo(1 - q ** 3 / (1 + q), 12)
    expect(p.quantile(0.9)).toBeCloseTo(1.6, 9)
  })

  test('a noise that is hardly ever there costs nothing', () => {
    const wide = { law: { kind: 'laplace', scale: 10 }, coefficient: 1, count: 1 } as const
    const never = { law: { kind: 'laplace', scale: 0.02 }, coefficient: Math.PI, count: 1 } as const
    const p = errorLawByCharacteristic([wide, never])
    expect(p.halfWidth(0.95)).toBe(errorLawByCharacteristic([wide]).halfWidth(0.95))
  })

  test('a confidence beyond every sum is met by the tail bound', () => {
    const terms = [{ law: { kind: 'laplace', scale: 10 }, coefficient: 1, count: 2 }] as const
    const p = errorLawByCharacteristic(terms)
    const [w, sure] = [p.halfWidth(0.999999), p.halfWidth(1 - 1e-13)]
    expect(sure).toBeGreaterThan(w)
    expect(sure).toBeLessThan(500)
  })
})
