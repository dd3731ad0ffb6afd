import { expect, test } from 'vitest'
import { chosenCoverage, mostMissed } from '../../../test/support/chosen-coverage.ts'

for (const confidence of [0.5, 0.9, 0.99])
  test(`20,000 histories: ${100 * confidence}% intervals from chosen answers hold as often`, {
    timeout: 1_800_000,
  }, () => {
    const { told, missed, missedIfNarrower, several } = chosenCoverage(20_000, confidence, 8)
    expect(several).toBeGreaterThan(10_000)
    expect(missed).toBeLessThan(mostMissed(told, confidence))
    expect(missedIfNarrower).toBeGreaterThan(mostMissed(told, confidence))
  })
