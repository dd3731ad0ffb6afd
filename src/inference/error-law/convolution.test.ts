import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorLawByCharacteristic } from './characteristic.ts'
import { errorLawByConvolution, errorLawByPaperConvolution } from './convolution.ts'
import type { Law, Term } from './law.ts'

const realTerms = fc
  .array(
    fc.record({
      law: fc.oneof(
        fc.double({ min: 1, max: 30, noNaN: true }).map((scale): Law => ({ kind: 'laplace', scale })),
        fc.double({ min: 1, max: 30, noNaN: true }).map((scale): Law => ({ kind: 'continuous-laplace', scale })),
        fc.double({ min: 1, max: 900, noNaN: true }).map((variance): Law => ({ kind: 'gaussian', variance })),
      ),
      coefficient: fc.double({ min: 0.01, max: 1, noNaN: true }),
      count: fc.constantFrom(1, 1, 2, 5),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((terms): Term[] => terms)

test('coefficients without a common step: the two methods differ by no more than they admit', () => {
  fc.assert(
    fc.property(realTerms, (terms) => {
      const [p, q] = [errorLawByCharacteristic(terms), errorLawByConvolution(terms)]
      const far = p.blur + q.blur
      for (let k = 0; k < 12; k++) {
        const w = (k / 3) * Math.sqrt(p.variance)
        // The grid's points stand for their bins, one half-step more.
        const outer = q.between(-(w + far) * 1.001, (w + far) * 1.001)
        expect(outer).toBeGreaterThanOrEqual(p.between(-w, w) - p.slack - q.slack - 1e-9)
        expect(p.between(-(w + far) * 1.001, (w + far) * 1.001)).toBeGreaterThanOrEqual(q.between(-w, w) - 1e-9)
      }
      expect(Math.abs(p.halfWidth(0.95) - q.halfWidth(0.95))).toBeLessThan(2 * far)
    }),
    { numRuns: 30 },
  )
})

test('a step that every coefficient is a multiple of makes the grid exact', () => {
  const terms: Term[] = [
    { law: { kind: 'laplace', scale: 3 }, coefficient: 2, count: 1 },
    { law: { kind: 'laplace', scale: 5 }, coefficient: 3, count: 1 },
  ]
  const [fine, shared] = [errorLawByConvolution(terms, { step: 0.5 }), errorLawByConvolution(terms)]
  expect([fine.blur, shared.blur]).toEqual([0, 0])
  for (const k of [0, 1, 2.4, 7, 30]) expect(fine.cdf(k)).toBeCloseTo(shared.cdf(k), 12)
})

test('a lattice too fine to walk is rounded to one that is not', () => {
  const terms: Term[] = [
    { law: { kind: 'laplace', scale: 1 }, coefficient: 1, count: 1 },
    { law: { kind: 'laplace', scale: 10 }, coefficient: 100_000, count: 1 },
  ]
  const p = errorLawByConvolution(terms)
  expect(p.blur).toBeGreaterThan(0)
  expect(Math.abs(p.halfWidth(0.95) - errorLawByCharacteristic(terms).halfWidth(0.95))).toBeLessThan(
    2 * p.blur + 2 * errorLawByCharacteristic(terms).blur,
  )
})

describe('as the paper writes it', () => {
  const laplace = (scale: number, coefficient: number): Term => ({
    law: { kind: 'continuous-laplace', scale },
    coefficient,
    count: 1,
  })

  test('the example of §4.3: |v|_1 = 129 at 0.48, 0.05 and γ/m = 0.01/8', () => {
    const one = errorLawByPaperConvolution([laplace(20, 0.48)], 0.01 / 8)
    // One bin more on each side, from the support's end to its bin's edge.
    expect(one.masses(1).length).toBe(129 + 4)
    expect(one.masses(1).filter((m) => m > 0).length).toBeLessThanOrEqual(131)
    expect(one.between(-64.5, 64.5)).toBeCloseTo(1 - Math.exp(-64.5 / 9.6), 12)
  })

  test('unit bins are wide for narrow noise: the rounding, not the tail, is the error (erratum 9)', () => {
    const terms = [{ ...laplace(1, 0.1), count: 100 }]
    const [truth, paper] = [errorLawByCharacteristic(terms), errorLawByPaperConvolution(terms, 0.01)]
    const error = (w: number) => Math.abs(truth.between(-w, w) - paper.between(-w, w))
    // γ = 0.01 promises Σ (u_i - E u_i)² < 10^-4; the middle bin alone is off by a multiple of the promise's root.
    expect(error(0.5)).toBeGreaterThan(0.1)
    // With a step from the data the same algorithm is right.
    const mended = errorLawByConvolution(terms)
    expect(Math.abs(truth.between(-0.5, 0.5) - mended.between(-0.5, 0.5))).toBeLessThan(1e-3)
  })
})
