import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gaussianPmf, one } from '../../numeric/index.ts'
import { noiseOf } from './noise.ts'
import { bestPrices } from './oracle.ts'

const kinds = { laplace: noiseOf({ epsilon: one }), gaussian: noiseOf({ rho: one }) }
type Kind = keyof typeof kinds

/** The expected error of one answer per marginal, up to a constant: noise u/t costs t, and its scale is what is off. */
const errorAt = (kind: Kind, units: readonly number[], reciprocals: readonly number[]) => (prices: readonly number[]) =>
  prices.reduce((sum, price, j) => sum + reciprocals[j]! * kinds[kind].scale(units[j]! / price), 0)

/** Every way to divide what there is in so many parts. */
const steps = 30
const divisions = Array.from({ length: steps + 1 }, (_, i) =>
  Array.from({ length: steps + 1 - i }, (_, j) => [i, j, steps - i - j].map((part) => part / steps)),
).flat()

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const three = (value: fc.Arbitrary<number>) => fc.tuple(value, value, value)
const all = 0.7

describe.each(Object.keys(kinds) as Kind[])('the best prices of %s noise', (kind) => {
  test('are beaten by no other division of what there is above what each has at least', () => {
    fc.assert(
      fc.property(
        three(between(0.5, 4)),
        three(between(1e-4, 1)),
        three(between(0, 0.2)),
        (units, reciprocals, least) => {
          const error = errorAt(kind, units, reciprocals)
          const shares = units.map((unit, j) => kinds[kind].bestShare(unit, reciprocals[j]!))
          const best = bestPrices(shares, all, least)
          // Halving an interval sixty times, and rounding.
          expect(Math.abs(best.reduce((a, b) => a + b) - all)).toBeLessThan(1e-12)
          best.forEach((price, j) => {
            expect(price).toBeGreaterThanOrEqual(least[j]!)
          })
          const rest = all - least.reduce((a, b) => a + b)
          for (const parts of divisions) {
            const prices = parts.map((part, j) => least[j]! + part * rest)
            if (prices.every((price) => price > 0)) expect(error(best)).toBeLessThanOrEqual(error(prices) * (1 + 1e-9))
          }
        },
      ),
    )
  })
})

test("with Gaussian noise the shares of Laplace's law are beaten", () => {
  const [units, reciprocals] = [
    [1, 1, 1],
    [0.001, 0.03, 1],
  ]
  const prices = (kind: Kind) =>
    bestPrices(
      units!.map((unit, j) => kinds[kind].bestShare(unit, reciprocals![j]!)),
      all,
    )
  const error = errorAt('gaussian', units!, reciprocals!)
  expect(error(prices('gaussian'))).toBeLessThan(0.99 * error(prices('laplace')))
})

test('the deviation of Gaussian answers is that of the law, summed up; of two that of their weighted mean', () => {
  const { deviation, variance } = kinds.gaussian
  for (const sigma2 of [1, 4.5, 100]) {
    const width = Math.ceil(12 * Math.sqrt(sigma2))
    const mean = Array.from({ length: width }, (_, k) => 2 * (k + 1) * gaussianPmf(sigma2, k + 1)).reduce(
      (a, b) => a + b,
    )
    // By Euler and Maclaurin's formula the sum over whole numbers is less by 1/12σ² of it, and terms of 1/σ⁴.
    expect(Math.abs((deviation([sigma2]) / mean) * (1 - 1 / (12 * sigma2)) - 1)).toBeLessThan(0.02 / sigma2 ** 2)
  }
  expect(deviation([30, 60])).toBeCloseTo(deviation([20]), 9)
  expect(variance(30)).toBeCloseTo(30, 9)
})
