import { describe, expect, test } from 'vitest'
import { confidence, draws, sure, withinCases, withinDraws } from '../../scripts/tables/within-draws.ts'

describe.each(withinCases)('an average $name', (one) => {
  test('of as many as were vouched for is as narrow as wanted, and holds as often as it says', async () => {
    const { covered, narrow, median } = await withinDraws(one)
    // 4.89 standard deviations of a share: one false alarm in 2·10^6 runs.
    const spare = (p: number) => 4.89 * Math.sqrt((p * (1 - p)) / draws)
    expect(covered).toBeGreaterThan(confidence - spare(confidence))
    expect(narrow).toBeGreaterThan(sure - spare(sure))
    // What the denominator's own error, the ratio's place and rounding cost: no more than this is bought in vain.
    expect(median).toBeGreaterThan(0.4 * one.within)
  })
})
