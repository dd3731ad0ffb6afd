import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

// The attack: one analyst sends hundreds of different questions that cost nothing, all at once. They stand in one line, and whoever comes
// after them waits until the last is answered.

const s = new Serving()
beforeAll(async () => {
  await s.table('people')
})
afterAll(() => s.stop())

const count = (age: number) => `SELECT COUNT(*) FROM people WHERE age >= ${age}`
const many = 300

test('another analyst’s question comes before most of them', async () => {
  const [flooding, other] = [await s.token('analyst', 'mallory'), await s.token('analyst', 'alice')]
  await s.start()
  const alice = s.client(other).dataset('people')
  await alice.ask({ sql: 'SELECT age, COUNT(*) FROM people GROUP BY age', epsilon: 0.5 })
  await alice.ask({ sql: count(0), free: true })
  const mallory = s.client(flooding).dataset('people')
  let answered = 0
  const flood = Array.from({ length: many }, async (_, i) => {
    const confidence = 0.5 + i / 1000
    const asked = mallory.ask({
      sql: `SELECT age, COUNT(*) FROM people WHERE age >= ${i % 90} GROUP BY age`,
      free: true,
      confidence,
    })
    await asked.catch(() => {})
    answered++
  })
  // By now all of them have arrived.
  while (answered < many / 10) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = answered
  await alice.ask({ sql: count(18), free: true })
  expect(answered - before).toBeLessThan(many / 6)
  await Promise.all(flood)
  expect(answered).toBe(many)
})
