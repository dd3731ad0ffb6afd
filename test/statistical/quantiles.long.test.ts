import { describe, expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { quantileCases, quantileCoverage } from '../support/quantile-coverage.ts'

const uniform = (seed: number) => {
  const bits = seededBits(seed)
  return () => bits.uint32() / 2 ** 32
}

// 200 histories each, 2,600 in all. Where 95% hold, fewer than 170 of 200 do once in 10^7 times, and fewer than 2,413 of 2,600 once in 10^6.
describe('intervals of quantiles hold the true ones', () => {
  let all = 0
  test.each(quantileCases)('$name', async (of) => {
    const { held } = await quantileCoverage(of, 200, uniform(2))
    all += held
    expect(held).toBeGreaterThanOrEqual(170)
  })
  test('in all of them', () => expect(all).toBeGreaterThanOrEqual(2413))
  test('and intervals that promise half as much are caught', async () => {
    const of = { ...quantileCases[0]!, how: { epsilon: 0.1, confidence: 0.4 } }
    expect((await quantileCoverage(of, 200, uniform(3))).held).toBeLessThan(170)
  })
})
