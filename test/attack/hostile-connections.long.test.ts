import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const s = new Serving()
const sql = 'SELECT COUNT(*) FROM people'
let owner = ''

beforeAll(async () => {
  await s.table('people')
  owner = await s.token('owner')
  await s.start()
})
afterAll(() => s.stop())

/** What a server says to these bytes until it closes, or for so many milliseconds. */
const raw = (bytes: string, patience = 50_000) =>
  new Promise<{ said: string; isClosed: boolean }>((ended) => {
    const socket: Socket = connect(Number(new URL(s.url).port), '127.0.0.1', () => socket.write(bytes))
    let said = ''
    const late = setTimeout(() => {
      socket.destroy()
      ended({ said, isClosed: false })
    }, patience)
    socket.on('data', (data) => {
      said += data
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      ended({ said, isClosed: true })
    })
  })

test('whoever does not come to the end of his headers is cut off, and others are answered meanwhile', async () => {
  const slow = Array.from({ length: 50 }, () =>
    raw('POST /api/datasets/people/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '),
  )
  expect((await s.request('/healthz')).status).toBe(200)
  for (const { isClosed, said } of await Promise.all(slow)) {
    expect(isClosed).toBe(true)
    expect(said).not.toContain('200')
  }
})

test('what is no request is refused without a word about the server', async () => {
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    'nonsense\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'POST /api/datasets/people/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  ]) {
    const { said } = await raw(bytes, 5000)
    expect(said).not.toMatch(/^HTTP\/1.1 2|node|fastify|stack|\/work|\/tmp/i)
  }
  expect((await s.request('/healthz')).status).toBe(200)
})

test('whoever sends requests without end on one connection is cut off', async () => {
  const { said, isClosed } = await raw('GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50), 5000)
  expect(isClosed).toBe(true)
  expect(said.split('HTTP/1.1 200').length).toBeLessThan(20)
  // One after the other there may be as many as one likes.
  for (let i = 0; i < 20; i++) expect((await s.request('/healthz')).status).toBe(200)
})

test('listeners that vanish are forgotten, and the job goes on', async () => {
  const people = s.client(owner).dataset('people')
  // Noise of scale 10/3 on 300 records: there are some, and the job need not ask how many.
  await people.ask({ sql: 'SELECT COUNT(*) FROM people', epsilon: 0.3 })
  const { id } = await people.startJob({ kind: 'synth', options: { epsilon: 0.05, method: 'mwem', rounds: 8 } })
  const path = `/api/datasets/people/jobs/${id}/events`
  const gone = Array.from({ length: 40 }, async () => {
    const leave = new AbortController()
    const response = await fetch(`${s.url}${path}`, {
      headers: { authorization: `Bearer ${owner}` },
      signal: leave.signal,
    })
    await response.body!.getReader().read()
    leave.abort()
  })
  await Promise.all(gone)
  const seen: unknown[] = []
  for await (const { state, error } of people.follow(id)) seen.push({ state, error })
  expect(seen.at(-1)).toEqual({ state: 'done' })
})

test('a token in an address opens nothing, and is in no line of the log', async () => {
  for (const path of [`/api/me?token=${owner}`, `/api/me?authorization=Bearer%20${owner}`, `/${owner}`])
    expect((await s.request(path)).status).toBeGreaterThanOrEqual(400)
  await s.request(`/api/datasets/people/ask`, { token: owner, body: { sql: `${sql} -- ${owner}x`, within: 50 } })
  expect((await s.request('/metrics', { token: owner })).text).not.toContain(owner)
  expect(s.log.filter((line) => line.includes(owner) && !line.includes(`${owner}x`))).toEqual([])
})

test('a server ends in time, whoever holds a connection open', async () => {
  const open = raw(
    `POST /api/datasets/people/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${owner}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    60_000,
  )
  await s.request('/healthz')
  const before = performance.now()
  await s.stop()
  // Ten seconds of patience, one more, and what threads take to end; it was a minute before.
  expect(performance.now() - before).toBeLessThan(55_000)
  expect((await open).isClosed).toBe(true)
})
