import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskRequest } from '../../src/server/api/index.ts'
import { Serving } from '../support/serving.ts'

// The attack: one analyst sends hundreds of different questions at once that cost nothing: free ones, or purchases that the budget does not
// allow, which have to be priced all the same. They stand in one line, and whoever comes after them waits until the last is answered.

const s = new Serving()
const many = 180
let tokens: string[]
beforeAll(async () => {
  await s.table('people')
  tokens = [await s.token('analyst', 'mallory'), await s.token('analyst', 'alice')]
  await s.start()
})
afterAll(() => s.stop())

const count = (age: number) => `SELECT COUNT(*) FROM people WHERE age >= ${age}`
const byAge = (age: number) => `SELECT age, COUNT(*) FROM people WHERE age >= ${age} GROUP BY age`

test.each<[string, Partial<AskRequest>, AskRequest]>([
  ['free', { free: true }, { sql: count(18), free: true }],
  ['dear', { epsilon: 1000 }, { sql: count(40), epsilon: 0.01 }],
])('another analyst’s question comes before most %s ones', async (_, price, question) => {
  const [mallory, alice] = tokens.map((token) => s.client(token).dataset('people')) as [Dataset, Dataset]
  await alice.ask({ sql: byAge(0), epsilon: 0.2 })
  await alice.ask({ sql: count(0), free: true })
  let answered = 0
  const flood = Array.from({ length: many }, async (_, i) => {
    const confidence = 0.5 + i / 1000
    await mallory.ask({ sql: byAge(i % 90), confidence, ...price }).catch(() => {})
    answered++
  })
  // By now all of them have arrived.
  while (answered < many / 10) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = answered
  await alice.ask(question)
  expect(answered - before).toBeLessThan(many / 6)
  await Promise.all(flood)
  expect(answered).toBe(many)
})

type Dataset = ReturnType<ReturnType<Serving['client']>['dataset']>
