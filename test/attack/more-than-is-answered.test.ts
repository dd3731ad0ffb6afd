import { afterAll, beforeAll, expect, test } from 'vitest'
import { UnderWay } from '../../src/server/access/under-way.ts'
import { Serving } from '../support/serving.ts'

// The attack: an analyst sends requests faster than they are answered. Bodies of half a megabyte wait in memory for their turn, fifty megabytes more
// every second, until the server is ended by its system; and short ones that take seconds each keep everybody else waiting.

const s = new Serving()
let [alice, bob] = ['', '']
beforeAll(async () => {
  await s.table('people')
  ;[alice, bob] = [await s.token('analyst', 'alice'), await s.token('analyst', 'bob')]
  await s.start({ rate: 1000 })
})
afterAll(() => s.stop())

const path = (name: string) => `/api/datasets/people/${name}`
const question = { sql: 'SELECT COUNT(*) FROM people WHERE age > 40', within: 40 }
/** A marginal of 19 million cells: a quarter of a second or more for one plan. */
const slow = {
  kind: 'marginals',
  options: { of: [['age', 'income', 'sex', 'state', 'born']], epsilon: 0.1, records: 300 },
}

test('what takes long is done for others, too, while one asks for it again and again', async () => {
  const asked = Array.from({ length: 40 }, () => s.request(path('jobs/plan'), { token: alice, body: slow }))
  const other = await s.request(path('curve'), { token: bob, body: { sql: question.sql } })
  expect(other.status).toBe(200)
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  const done = statuses.filter((status) => status === 200).length
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - done)
  // They are sent at once, and at most a few are done before the last has come.
  expect(done).toBeGreaterThanOrEqual(6)
  expect(done).toBeLessThan(20)
  expect((await s.request(path('jobs/plan'), { token: alice, body: slow })).status).toBe(200)
})

test('ordinary questions are not counted', async () => {
  const many = Array.from({ length: 80 }, () => s.request(path('plan'), { token: alice, body: question }))
  for (const { status } of await Promise.all(many)) expect(status).toBe(200)
})

test('requests that do not say how long they are count as the longest, and 8 MB of them may be under way', async () => {
  const text = JSON.stringify(question)
  const body = () =>
    new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode(text.slice(0, 10)))
        await new Promise((resolve) => setTimeout(resolve, 1500))
        stream.enqueue(new TextEncoder().encode(text.slice(10)))
        stream.close()
      },
    })
  const headers = { authorization: `Bearer ${alice}`, 'content-type': 'application/json' }
  const send = async () => {
    const sent = { method: 'POST', headers, body: body(), duplex: 'half' } as RequestInit
    return (await fetch(`${s.url}${path('plan')}`, sent)).status
  }
  const statuses = await Promise.all(Array.from({ length: 40 }, send))
  expect(statuses.filter((status) => status === 200)).toHaveLength(16)
  expect(statuses.filter((status) => status === 429)).toHaveLength(24)
})

test('each caller has room of its own, which is free again once the answer is sent', () => {
  const underWay = new UnderWay(10)
  const ends: (() => void)[] = []
  const answer = { on: (_: 'close', ended: () => void) => ends.push(ended) }
  expect(underWay.isExceeded('a', 6, answer)).toBe(false)
  expect(underWay.isExceeded('a', 5, answer)).toBe(true)
  expect(underWay.isExceeded('a', 4, answer)).toBe(false)
  expect(underWay.isExceeded('a', 0, answer)).toBe(false)
  expect(underWay.isExceeded('b', 10, answer)).toBe(false)
  expect(ends).toHaveLength(3)
  ends[0]!()
  expect(underWay.isExceeded('a', 7, answer)).toBe(true)
  expect(underWay.isExceeded('a', 6, answer)).toBe(false)
})
