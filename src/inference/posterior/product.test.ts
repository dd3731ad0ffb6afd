import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bruteForce, discreteLaw, latticeTerms } from '../../../test/support/error-law.ts'
import { gaussianCharacteristic, laplaceCharacteristic } from '../../numeric/index.ts'
import { arrange } from './arrangement.ts'
import type { Law, Term } from './law.ts'
import { productOf, tailReach, type Value } from './product.ts'

const characteristic = (law: Law, t: number): number => {
  if (law.kind === 'laplace') return laplaceCharacteristic(law.scale, t)
  return law.kind === 'gaussian' ? gaussianCharacteristic(law.variance, t) : 1 / (1 + (law.scale * t) ** 2)
}
/** The definition: every factor, one after the other. */
const slow = (terms: readonly Term[], t: number): number =>
  terms.reduce((product, { law, coefficient, count }) => product * characteristic(law, coefficient * t) ** count, 1)

const anyLaw = fc.oneof(
  discreteLaw(),
  fc.double({ min: 0.3, max: 1e6, noNaN: true }).map((scale): Law => ({ kind: 'laplace', scale })),
  fc.double({ min: 0.3, max: 1e6, noNaN: true }).map((scale): Law => ({ kind: 'continuous-laplace', scale })),
  fc.double({ min: 2, max: 1e9, noNaN: true }).map((variance): Law => ({ kind: 'gaussian', variance })),
)
/** Coefficients over many orders of magnitude, so that at every frequency some terms are small and some are not. */
const anyTerms = fc.array(
  fc.record({
    law: anyLaw,
    coefficient: fc.double({ min: -12, max: 0, noNaN: true }).map((x) => 2 ** x),
    count: fc.constantFrom(1, 1, 2, 50),
  }),
  { minLength: 1, maxLength: 60 },
)

describe('the product of characteristic functions', () => {
  test('is within its own bound of the product taken factor by factor', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const a = arrange(terms)
        const product = productOf(a)
        const phi: Value = { value: 0, error: 0 }
        for (let t = 0.01; t < 400; t *= 1.3) {
          product(t, phi)
          const expected = slow(terms, t / a.deviation)
          expect(Math.abs(phi.value - expected)).toBeLessThanOrEqual(phi.error + 1e-13 * expected)
          expect(phi.error).toBeLessThan(1e-9)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('the bound is needed: without the fifth order the sums are off by more', () => {
    const terms: Term[] = [{ law: { kind: 'laplace', scale: 20 }, coefficient: 1, count: 200 }]
    const a = arrange(terms)
    const worse = { ...a, sums: a.sums.map((s, i) => (i % 9 === 4 ? 0 : s)) }
    const phi: Value = { value: 0, error: 0 }
    const t = 1.2
    productOf(a)(t, phi)
    expect(Math.abs(phi.value - slow(terms, t / a.deviation))).toBeLessThanOrEqual(phi.error)
    productOf(worse)(t, phi)
    expect(Math.abs(phi.value - slow(terms, t / a.deviation))).toBeGreaterThan(phi.error)
  })
})

describe('the tail bound', () => {
  test('holds, and is not idle', () => {
    fc.assert(
      fc.property(latticeTerms, fc.constantFrom(0.1, 1e-3, 1e-6, 1e-9), ({ terms, step }, probability) => {
        const present = terms.filter(({ coefficient }) => coefficient !== 0)
        const exact = bruteForce(present, step)
        const a = arrange(present)
        const x = (tailReach(a, probability) * a.deviation) / step
        // Pr(|error| ≥ x) ≤ probability; 10^-13 is what brute force leaves out.
        expect(1 - exact.within(Math.ceil(x) - 1)).toBeLessThanOrEqual(probability + 1e-13)
        // Chernoff's bound of a Laplace law at p is e·ln(1/p)·p/2 or so: no worse than the true reach of p/1000.
        if (x > 3) expect(1 - exact.within(x / 2 - 1)).toBeGreaterThan(probability / 1000)
      }),
      { numRuns: 200 },
    )
  })
})
