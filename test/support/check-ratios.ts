import { describe, expect, test } from 'vitest'
import { type ratioCases, ratioCoverage } from './ratio-coverage.ts'

/** The confidence is low, so that a few runs tell: an interval that is 30% too narrow holds in about half of the runs. */
const [runs, confidence] = [60, 0.7]

/** A test of each of these cases. */
export const checkRatios = (cases: readonly (typeof ratioCases)[number][]): void =>
  describe.each(cases)('$name', (one) => {
    test('is right as often as it says, and nearly always as narrow as asked', async () => {
      const { right, narrow } = await ratioCoverage(one, confidence, runs)
      // 4.89 standard deviations of a share: one false alarm in 2·10^6 runs.
      const spare = (p: number) => 4.89 * Math.sqrt((p * (1 - p)) / runs)
      expect(right).toBeGreaterThan(confidence - spare(confidence))
      expect(narrow).toBeGreaterThan(0.9 - spare(0.9))
    })
  })
