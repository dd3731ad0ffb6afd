import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { regressionCoverage, shapes } from '../support/regression-coverage.ts'

// 500 histories each, 2,000 in all. Where 95% hold, fewer than 451 of 500 do once in 10^5 times.
test.each(shapes)('intervals of correlations and lines hold the true ones: $name', async (shape) => {
  const bits = seededBits(2)
  const all = await regressionCoverage(shape, 500, () => bits.uint32() / 2 ** 32)
  for (const held of all) expect(held).toBeGreaterThanOrEqual(451)
})
