import { expect, test } from 'vitest'
import { windowMisses } from '../support/window-coverage.ts'

test('intervals of shares, totals, differences, ranks and groups that are put together hold as often as they say', async () => {
  const { misses } = await windowMisses(1000)
  // Pr(Bin(1000, 0.05) > 93) < 10^-8, times the numbers: intervals that hold in 91% of the runs fail.
  expect(Math.max(...misses)).toBeLessThanOrEqual(93)
  // And they are no wider than need be: totals from the history are as narrow as they were bought.
  expect(misses.reduce((sum, n) => sum + n, 0) / misses.length).toBeGreaterThan(5)
})
