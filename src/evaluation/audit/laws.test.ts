import { expect, test } from 'vitest'
import { epsilonOfRho } from '../../trusted/accounting/index.ts'
import { epsilonOfLaws } from './laws.ts'

test('the two input laws of randomized response need exactly its ε, and less with δ', () => {
  const [p, q] = [
    [0.75, 0.25],
    [0.25, 0.75],
  ]
  expect(epsilonOfLaws(p, q, 0)).toBeCloseTo(Math.log(3), 9)
  // 0.75 - e^ε/4 = 0.05
  expect(epsilonOfLaws(p, q, 0.05)).toBeCloseTo(Math.log(2.8), 9)
  expect(epsilonOfLaws(p, p, 0)).toBeCloseTo(0, 9)
})

test('ρ gives no more than the textbook conversion ρ + 2√(ρ ln 1/δ), and no less than a Gaussian law needs', () => {
  for (const variance of [1, 4, 16, 100])
    for (const delta of [1e-2, 1e-3, 1e-6, 1e-9]) {
      const rho = 1 / (2 * variance)
      const given = epsilonOfRho(rho, delta)
      expect(given).toBeLessThanOrEqual(rho + 2 * Math.sqrt(rho * Math.log(1 / delta)))
      const reach = Math.ceil(12 * Math.sqrt(variance))
      const weights = (mean: number) =>
        Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach - mean) ** 2) / (2 * variance)))
      const total = weights(0).reduce((a, b) => a + b)
      const law = (mean: number) => weights(mean).map((w) => w / total)
      expect(given).toBeGreaterThanOrEqual(epsilonOfLaws(law(0), law(1), delta))
    }
})
