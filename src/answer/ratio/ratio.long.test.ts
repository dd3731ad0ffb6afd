import { expect, test } from 'vitest'
import { coverageOf, gaussian, laplace } from '../../../test/support/summed-coverage.ts'

test('on a grid of scales and ratios no interval covers less often than is said', () => {
  const laws = [laplace(1 / 2), laplace(1), laplace(3), gaussian(0.5), gaussian(6)]
  const ratios = [0, 1 / 3, 1, 2.25, 5, 17 / 3].map((r) => [Math.round(r * 120), 120] as const)
  for (const one of laws)
    for (const other of laws)
      for (const exact of ratios)
        for (const confidence of [0.9, 0.95])
          expect(coverageOf([exact, [one, other], confidence])).toBeGreaterThanOrEqual(confidence)
})
