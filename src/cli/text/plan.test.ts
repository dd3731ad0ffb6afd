import { expect, test } from 'vitest'
import type { Plan } from '../../index.ts'
import { planText } from './plan.ts'

/** What a plan says of an average that would need more records than there seem to be. */
const refused = (epsilon: number) => {
  const [cost, left] = [
    { epsilon, delta: 0 },
    { epsilon: 0.25, delta: 0 },
  ]
  const plan: Plan = {
    query: 'SELECT AVG(age) FROM people',
    confidence: 0.95,
    kind: 'fresh',
    cost,
    raised: cost,
    left,
    affordable: false,
    parts: [],
  }
  return planText(plan)
}

test('a price that is not known is not said to be all that is left', () => {
  expect(refused(0.25)).toBe(
    'this may cost more than the ε 0.25 that is left: there may be too few records for this precision',
  )
  expect(refused(0.75)).toBe('this costs about ε 0.75; the budget does not allow it (left: 0.25)')
})
