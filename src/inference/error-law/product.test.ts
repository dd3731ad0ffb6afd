import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bruteForce, discreteLaw, latticeTerms } from '../../../test/support/error-law.ts'
import { gaussianCharacteristic, laplaceCharacteristic } from '../../numeric/index.ts'
import { type Arrangement, arrange } from './arrangement.ts'
import type { Law, Term } from './law.ts'
import { negligible, walk } from './product.ts'
import { tailReach } from './tail.ts'

const characteristic = (law: Law, t: number): number => {
  if (law.kind === 'laplace') return laplaceCharacteristic(law.scale, t)
  return law.kind === 'gaussian' ? gaussianCharacteristic(law.variance, t) : 1 / (1 + (law.scale * t) ** 2)
}
/** The definition: every factor, one after the other. */
const slow = (terms: readonly Term[], t: number): number =>
  terms.reduce((product, { law, coefficient, count }) => product * characteristic(law, coefficient * t) ** count, 1)

/** At most |d log φ/dx|·x, in noises. */
const slopeOf = ({ law, coefficient }: Term, t: number): number =>
  coefficient * t * (law.kind === 'gaussian' ? 9 * Math.sqrt(law.variance) : law.scale)

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

/** The walk's values and errors for n = 1 … last, with zeros where it did not stop. */
function walked(a: Arrangement, base: number, last: number): { values: Float64Array; errors: Float64Array } {
  const values = new Float64Array(last + 1)
  const errors = new Float64Array(last + 1)
  walk(a, base, last, (stretch) => {
    for (const [k, value] of stretch.values.entries()) {
      const n = stretch.first + k
      if (n <= last) [values[n], errors[n]] = [value, stretch.errors[k]!]
    }
    return false
  })
  return { values, errors }
}

describe('the product of characteristic functions', () => {
  test('is within its own bound of the product taken factor by factor, or negligible', () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom(0.01, 0.3, 2.7), (terms, base) => {
        const a = arrange(terms)
        const { values, errors } = walked(a, base, 600)
        for (let n = 1; n <= 600; n++) {
          const expected = slow(terms, (n * base) / a.deviation)
          const bound = values[n] === 0 ? negligible * (1 + 1e-9) : errors[n]!
          // The product itself rounds: a·t by one unit, which counts b·a·t times, and 51 noises of 60 terms.
          const own = 2 ** -52 * terms.reduce((sum, t) => sum + t.count * (4 + slopeOf(t, (n * base) / a.deviation)), 0)
          expect(Math.abs(values[n]! - expected)).toBeLessThanOrEqual(bound + own * expected)
          expect(errors[n]!).toBeLessThan(1e-9)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('the bound is needed: without the fourth order the sums are off by more', () => {
    const terms: Term[] = [{ law: { kind: 'laplace', scale: 20 }, coefficient: 1, count: 4000 }]
    const a = arrange(terms)
    const worse = { ...a, sums: a.sums.map((s, i) => (i % 9 === 3 ? 0 : s)) }
    const off = (from: Arrangement, n: number) => {
      const { values, errors } = walked(from, 0.4, 24)
      return Math.abs(values[n]! - slow(terms, (n * 0.4) / a.deviation)) / errors[n]!
    }
    expect(off(a, 6)).toBeLessThanOrEqual(1)
    expect(off(worse, 6)).toBeGreaterThan(1)
  })

  test('what was passed over comes back where the law has a step', () => {
    // All on ℤ: φ is 1 again at 2π, long after it was nothing.
    const terms: Term[] = [{ law: { kind: 'laplace', scale: 30 }, coefficient: 1, count: 8 }]
    const a = arrange(terms)
    const last = 1000
    const { values } = walked(a, (2 * Math.PI * a.deviation) / last, last)
    expect(values[last]!).toBeCloseTo(1, 9)
    expect(values[last / 2]!).toBe(0)
    expect(values.filter((value) => value > 0).length).toBeLessThan(100)
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
