import { expect, test } from 'vitest'
import { chosenCoverage, mostMissed } from '../../../test/support/chosen-coverage.ts'

test('intervals from chosen answers hold as often as they say, and narrower ones would not', () => {
  const { told, missed, missedIfNarrower, several } = chosenCoverage(400, 0.9, 7)
  expect(several).toBeGreaterThan(30)
  expect(missed).toBeLessThan(mostMissed(told, 0.9))
  expect(missedIfNarrower).toBeGreaterThan(mostMissed(told, 0.9))
})
