import { expect, test } from 'vitest'
import { windowMisses } from '../support/window-coverage.ts'

test('intervals of shares, totals, differences, ranks and groups that are put together hold', async () => {
  const { misses } = await windowMisses(40)
  expect(misses.length).toBeGreaterThan(100)
  // Each number misses in at most 5% of the runs; Pr(Bin(40, 0.05) > 15) < 10^-9, times the numbers.
  expect(Math.max(...misses)).toBeLessThanOrEqual(15)
})
