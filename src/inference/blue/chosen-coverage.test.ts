import { expect, test } from 'vitest'
import { type ChosenCoverage, chosenCoverage, mostMissed } from '../../../test/support/chosen-coverage.ts'

test('intervals from chosen answers hold as often as they say, and narrower ones would not', () => {
  const [{ told, missed, missedIfNarrower, several }] = chosenCoverage(400, [0.9], 7) as [ChosenCoverage]
  expect(several).toBeGreaterThan(30)
  expect(missed).toBeLessThan(mostMissed(told, 0.9))
  expect(missedIfNarrower).toBeGreaterThan(mostMissed(told, 0.9))
})
