import { describe, expect, test } from 'vitest'
import { draws, ratioCases, ratioDraws } from '../../scripts/tables/ratio-draws.ts'

// A share of n draws has the standard deviation √(p(1-p)/n). 4.89 of them: one false alarm in 2·10^6 runs.
const spare = (p: number) => 4.89 * Math.sqrt((p * (1 - p)) / draws)

describe.each(ratioCases)('the interval of $name', (one) => {
  test('holds the exact ratio as often as it says, and is narrower than from separate intervals', () => {
    const { covered, width } = ratioDraws(one, 0.95)
    expect(covered).toBeGreaterThan(0.95 - spare(0.95))
    expect(width).toBeLessThanOrEqual(ratioDraws(one, 0.95, false).width)
  })
})

test('on the usual average it promises little more than it must, and the test would notice less', () => {
  const { covered, width } = ratioDraws(ratioCases[0]!, 0.95)
  expect(covered).toBeLessThan(0.953 + spare(0.95))
  expect(width).toBeLessThan(0.9 * ratioDraws(ratioCases[0]!, 0.95, false).width)
  expect(ratioDraws(ratioCases[0]!, 0.92).covered).toBeLessThan(0.95 - spare(0.95))
})
