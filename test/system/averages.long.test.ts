import { expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { asking } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

const average = 'SELECT AVG(age) FROM people'
const people = (n: number) => Array.from({ length: n }, (_, i) => ({ age: i % 5, member: i % 4 > 0 }))

test('an average is right, and as narrow, as often as it says', async () => {
  const [runs, confidence] = [60, 0.6]
  let right = 0
  for (let i = 0; i < runs; i++) {
    // A look that finds too few records asks for more than ε = 1: none is refused here.
    const { put } = await asking({ rows: people(300), privacy: { ...promise, epsilon: rational(50) } })
    const { estimate, interval, within } = await put(average, { within: 1, confidence })
    if (within <= 1 && interval[0] <= 2 && interval[1] >= 2 && Math.abs(estimate - 2) <= 1) right++
  }
  // 4.89 standard deviations of a share: one false alarm in 2·10^6 runs.
  expect(right / runs).toBeGreaterThan(confidence - 4.89 * Math.sqrt((confidence * (1 - confidence)) / runs))
})
