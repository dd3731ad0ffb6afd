import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

// The attack: an analyst sends requests as long as they may be, as fast as they may come, and each takes a while. They wait in memory for their turn,
// fifty megabytes more every second, until the server is ended by its system.

const s = new Serving()
let [alice, bob] = ['', '']
beforeAll(async () => {
  await s.table('people')
  ;[alice, bob] = [await s.token('analyst', 'alice'), await s.token('analyst', 'bob')]
  await s.start({ rate: 1000 })
})
afterAll(() => s.stop())

const plan = '/api/datasets/people/jobs/plan'
/** Half a megabyte of statements. */
const long = {
  kind: 'synth',
  options: {
    epsilon: 0.1,
    records: 300,
    queries: Array.from(
      { length: 50 },
      (_, i) => `SELECT COUNT(*) FROM people WHERE age > ${20 + i}${' '.repeat(9900)}`,
    ),
  },
}

test('long requests of one token wait within limits, and others are answered', async () => {
  const text = JSON.stringify(long)
  expect(text.length).toBeGreaterThan(450_000)
  const asked = Array.from({ length: 60 }, () => s.request(plan, { token: alice, body: text }))
  const other = await s.request('/api/datasets/people/budget', { token: bob })
  expect(other.status).toBe(200)
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  const refused = statuses.filter((status) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  // As many as fit at once were accepted.
  expect(statuses.length - refused.length).toBeGreaterThanOrEqual(15)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('once they are answered there is room again, and short ones never lack it', async () => {
  expect((await s.request(plan, { token: alice, body: JSON.stringify(long) })).status).toBe(200)
  const short = { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } }
  const many = await Promise.all(Array.from({ length: 200 }, () => s.request(plan, { token: alice, body: short })))
  expect(many.every(({ status }) => status === 200)).toBe(true)
})

test('a request that does not say how long it is counts as the longest', async () => {
  const body = () =>
    new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode(`{"kind":"tree",`))
        await new Promise((resolve) => setTimeout(resolve, 1500))
        stream.enqueue(new TextEncoder().encode(`"options":{"of":["age"],"epsilon":0.1}}`))
        stream.close()
      },
    })
  const send = () =>
    fetch(`${s.url}${plan}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice}`, 'content-type': 'application/json' },
      body: body(),
      duplex: 'half',
    } as RequestInit).then(({ status }) => status)
  const statuses = await Promise.all(Array.from({ length: 40 }, send))
  expect(statuses.filter((status) => status === 200)).toHaveLength(16)
  expect(statuses.filter((status) => status === 429)).toHaveLength(24)
})
