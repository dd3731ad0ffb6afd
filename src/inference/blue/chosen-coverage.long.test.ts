import { expect, test } from 'vitest'
import { chosenCoverage, mostMissed } from '../../../test/support/chosen-coverage.ts'

test('20,000 histories: 50%, 90% and 99% intervals from chosen answers hold as often', { timeout: 1_800_000 }, () => {
  for (const { confidence, told, missed, missedIfNarrower, several } of chosenCoverage(20_000, [0.5, 0.9, 0.99], 8)) {
    expect(several).toBeGreaterThan(10_000)
    expect(missed, `at ${confidence}`).toBeLessThan(mostMissed(told, confidence))
    expect(missedIfNarrower, `at ${confidence}`).toBeGreaterThan(mostMissed(told, confidence))
  }
})
