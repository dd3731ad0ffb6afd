import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gaussianTail, gaussianVariance, laplaceTail, laplaceVariance, toNumber } from '../../numeric/index.ts'
import { errorLawByCharacteristic } from './characteristic.ts'
import { type Combination, combinedTerms, freshLawFor, gaussianVarianceFor, laplaceScaleFor } from './fresh.ts'
import { type Term, varianceOfError } from './law.ts'

const confidences = fc.double({ min: 0.5, max: 0.9999, noNaN: true })

describe('the largest noise that meets a requirement by itself', () => {
  test.each([
    ['Laplace', laplaceScaleFor, laplaceTail],
    ['Gauss', gaussianVarianceFor, gaussianTail],
  ] as const)('%s: it does, and 10^-5 more of it does not', (_, spreadFor, tail) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5000, noNaN: true }), confidences, (within, confidence) => {
        const spread = toNumber(spreadFor(within, confidence))
        const w = Math.floor(within + 1e-9)
        expect(tail(spread, w)).toBeLessThanOrEqual(1 - confidence)
        expect(tail(spread * (1 + 1e-5), w)).toBeGreaterThan(1 - confidence)
      }),
      { numRuns: 300 },
    )
  })

  test('far out it is Theorem 5.3: ε = ln(1/δ)/within', () => {
    expect((1 / toNumber(laplaceScaleFor(1e6, 0.95))) * 1e6).toBeCloseTo(Math.log(20), 4)
  })

  test('three steps of 0.1 are 0.3', () => {
    expect(laplaceScaleFor(0.3 / 0.1, 0.95)).toEqual(laplaceScaleFor(3, 0.95))
  })

  test.each([
    [-1, 0.95],
    [Number.NaN, 0.95],
    [Number.POSITIVE_INFINITY, 0.95],
    [10, 0],
    [10, 1],
    [10, Number.NaN],
  ])('within %d, confidence %d is refused', (within, confidence) => {
    expect(() => laplaceScaleFor(within, confidence)).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(() => gaussianVarianceFor(within, confidence)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

const history = fc
  .array(
    fc.record({
      law: fc.double({ min: 1, max: 50, noNaN: true }).map((scale) => ({ kind: 'laplace', scale }) as const),
      coefficient: fc.double({ min: 0.05, max: 1, noNaN: true }),
      count: fc.constantFrom(1, 1, 3),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((terms: Term[]) => ({ terms, variance: varianceOfError(terms) }))
  // Requirements of several steps: within a step or two of nothing, weights cannot help.
  .filter(({ variance }) => variance > 100)

describe('the largest fresh noise that meets it together with the history', () => {
  test.each(['laplace', 'gaussian'] as const)(
    '%s: it does, it is noisier than alone, and it leaves less than 1% unused',
    (kind) => {
      fc.assert(
        fc.property(history, fc.double({ min: 0.4, max: 0.95, noNaN: true }), (h, part) => {
          const combination: Combination = { ...h, step: 1, kind }
          const options = (within: number) => ({ blur: within / 200 })
          const free = errorLawByCharacteristic(h.terms).halfWidth(0.95)
          const within = part * free
          const law = freshLawFor(combination, within, 0.95)
          expect(law).toBeDefined()
          const width = (spread: typeof law) =>
            errorLawByCharacteristic(combinedTerms(combination, spread!), options(within)).halfWidth(0.95)
          expect(width(law)).toBeLessThanOrEqual(within)
          expect(width(law)).toBeGreaterThan(within * 0.99)
          if (law!.kind === 'laplace') {
            expect(toNumber(law!.scale)).toBeGreaterThan(toNumber(laplaceScaleFor(within, 0.95)))
          }
        }),
        { numRuns: 25 },
      )
    },
  )

  test('none where another way costs no more', () => {
    const terms: Term[] = [{ law: { kind: 'laplace', scale: 20 }, coefficient: 1, count: 2 }]
    const two: Combination = { terms, variance: varianceOfError(terms), step: 1, kind: 'laplace' }
    const spread = (law: ReturnType<typeof freshLawFor>) => (law?.kind === 'laplace' ? toNumber(law.scale) : undefined)
    const best = spread(freshLawFor(two, 60, 0.95))!
    expect(freshLawFor({ ...two, noisierThan: 1.01 * best }, 60, 0.95)).toBeUndefined()
    // Where it is the cheaper one, it is the same but for what a search leaves unused.
    expect(spread(freshLawFor({ ...two, noisierThan: 0.95 * best }, 60, 0.95))).toBeGreaterThan(0.98 * best)
  })

  test('weights are inverse variances', () => {
    const old: Term = { law: { kind: 'laplace', scale: 4 }, coefficient: 2, count: 3 }
    const variance = varianceOfError([old])
    const scale = { num: 5n, den: 1n }
    const terms = combinedTerms({ terms: [old], variance, step: 2, kind: 'laplace' }, { kind: 'laplace', scale })
    const own = 4 * laplaceVariance(5)
    expect(varianceOfError(terms)).toBeCloseTo(1 / (1 / variance + 1 / own), 10)
    const gaussian = combinedTerms(
      { terms: [old], variance, step: 1, kind: 'gaussian' },
      { kind: 'gaussian', variance: { num: 1n, den: 2n } },
    )
    expect(varianceOfError(gaussian)).toBeCloseTo(1 / (1 / variance + 1 / gaussianVariance(0.5)), 10)
  })

  test('nothing fresh where the history is enough', () => {
    const terms: Term[] = [{ law: { kind: 'laplace', scale: 2 }, coefficient: 1, count: 2 }]
    const free: Combination = { terms, variance: varianceOfError(terms), step: 1, kind: 'laplace' }
    expect(freshLawFor(free, 100, 0.95)).toBeUndefined()
    expect(freshLawFor({ ...free, terms: [], variance: 0 }, 100, 0.95)).toBeUndefined()
  })
})
