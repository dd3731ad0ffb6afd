import { expect, test } from 'vitest'
import { asking } from '../../../test/support/asking.ts'
import { promise } from '../../../test/support/metered.ts'
import { rational } from '../../numeric/index.ts'

const rows = Array.from({ length: 40 }, (_, i) => ({ age: i % 10, member: i % 2 === 0 }))

test('an average or share within half its domain costs nothing, and says what the policy does', async () => {
  const { put } = await asking({ rows })
  const [low, high] = (await put('SELECT AVG(age) FROM people', { within: 1e18 })).interval
  const half = (high! - low!) / 2
  const average = await put('SELECT AVG(age) FROM people', { within: half })
  expect(average).toMatchObject({ estimate: null, interval: [low, high], kind: 'free', cost: { epsilon: 0 } })
  const share = await put('SELECT 100.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people', { within: 50 })
  expect(share).toMatchObject({ estimate: null, interval: [0, 100], cost: { epsilon: 0 } })
  // With less than that the records count, and forty are too few for what there is to spend.
  await expect(put('SELECT AVG(age) FROM people', { within: 0.001 * half })).rejects.toThrow('too few records')
})

test('where earlier answers tell more, they are the answer', async () => {
  const { put } = await asking({ rows, privacy: { ...promise, epsilon: rational(100) } })
  const bought = await put('SELECT AVG(age) FROM people', { epsilon: 20 })
  const again = await put('SELECT AVG(age) FROM people', { within: 1e6 })
  expect(again).toMatchObject({ estimate: bought.estimate, kind: 'free', cost: { epsilon: 0 } })
})

test('so do counts and sums of a public number of records, once it was read', async () => {
  const { put } = await asking({ rows, privacy: { ...promise, neighbours: 'replace-one', epsilon: rational(10) } })
  await put('SELECT COUNT(*) FROM people', { epsilon: 0.1 })
  const count = await put('SELECT COUNT(*) FROM people WHERE age < 9', { within: 20 })
  expect(count).toMatchObject({ estimate: null, interval: [0, 40], cost: { epsilon: 0 } })
  expect((await put('SELECT SUM(age) FROM people', { within: 1e9 })).cost.epsilon).toBe(0)
  expect((await put('SELECT COUNT(*) FROM people WHERE age < 9', { within: 19 })).cost.epsilon).toBeGreaterThan(0)
})
