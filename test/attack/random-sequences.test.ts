import { expect, test } from 'vitest'
import { playAll } from './sequence.ts'

test('whatever is swapped or put back, answers are about the data they are charged to, and the cap holds', async () => {
  const { faults, given } = await playAll(3, { steps: 24 })
  expect(faults).toEqual([])
  expect(given).toBeGreaterThan(3)
})
