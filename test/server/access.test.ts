import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const s = new Serving()
let [owner, alice, stranger] = ['', '', '']
const question = { sql: 'SELECT COUNT(*) FROM people', within: 80 }

beforeAll(async () => {
  await s.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { alice: 0.5, bob: 0.5 }'),
  )
  await s.table('other')
  const [people, other] = s.policies as [string, string]
  owner = await s.token('owner', undefined, [people])
  alice = await s.token('analyst', 'alice', [people])
  stranger = await s.token('analyst', 'someone', [other])
  await s.start()
})
afterAll(() => s.stop())

const routes: [string, string, unknown?][] = [
  ['GET', '/api/me'],
  ['GET', '/api/datasets'],
  ['GET', '/api/datasets/people'],
  ['GET', '/api/datasets/people/attributes/age/values'],
  ['POST', '/api/datasets/people/plan', question],
  ['POST', '/api/datasets/people/curve', { sql: question.sql }],
  ['POST', '/api/datasets/people/ask', question],
  ['GET', '/api/datasets/people/history'],
  ['POST', '/api/datasets/people/history/2/improve', {}],
  ['GET', '/api/datasets/people/budget'],
  ['POST', '/api/datasets/people/jobs/plan', { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } }],
  ['POST', '/api/datasets/people/jobs', { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } }],
  ['GET', '/api/datasets/people/jobs'],
  ['GET', '/api/datasets/people/jobs/0123456789ab'],
  ['GET', '/api/datasets/people/jobs/0123456789ab/events'],
  ['GET', '/api/datasets/people/jobs/0123456789ab/tables'],
  ['GET', '/api/datasets/people/jobs/0123456789ab/files/report.html'],
  ['DELETE', '/api/datasets/people/jobs/0123456789ab'],
  ['DELETE', '/api/datasets/people/jobs/0123456789ab/files'],
  ['GET', '/api/datasets/people/check'],
  ['GET', '/api/datasets/people/ledger/export'],
  ['POST', '/api/datasets/people/ledger/verify', {}],
  ['GET', '/api/tokens'],
  ['POST', '/api/tokens', { dataset: 'people', role: 'owner' }],
  ['DELETE', '/api/tokens/0123456789ab'],
]

test.each(routes)('%s %s needs a token, and that of its data set', async (method, path, body) => {
  const none = await s.request(path, { method, body })
  expect(none.headers.get('www-authenticate')).toBe('Bearer')
  expect(none.json.error.code).toBe('unauthorized')
  // Five wrong ones a second are answered so; more are slowed down.
  expect([401, 429]).toContain((await s.request(path, { method, body, token: `ret_${'A'.repeat(43)}` })).status)
  if (path.includes('people')) expect((await s.request(path, { method, body, token: stranger })).status).toBe(404)
})

test('no route is missing above', async () => {
  const { json } = await s.request('/openapi.json')
  const known = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  for (const each of known) {
    const [method, path] = each.split(' ') as [string, string]
    expect(routes.filter(([m, p]) => m === method && pattern(path).test(p.replace(/\?.*/, '')))).not.toEqual([])
  }
})

test('an address that is spelled otherwise needs a token as well', async () => {
  for (const path of ['/%61pi/me', '/api/%6de', '/%61pi/datasets/people', '//api/me', '/api//me', '/API/me'])
    expect([401, 404]).toContain((await s.request(path)).status)
})

test('an analyst asks as herself and nobody else; an owner says for whom', async () => {
  const as = { ...question, as: 'bob' }
  expect((await s.request('/api/datasets/people/ask', { token: alice, body: as })).status).toBe(403)
  expect((await s.request('/api/datasets/people/plan', { token: owner, body: question })).json.error.code).toBe(
    'analyst-required',
  )
  expect((await s.request('/api/datasets/people/plan', { token: owner, body: as })).status).toBe(200)
})

test('the owner makes and revokes tokens, only of her own data set; only hashes are kept', async () => {
  const owning = s.client(owner)
  const issued = await owning.addToken({ dataset: 'people', role: 'analyst', name: 'bob' })
  expect(await s.client(issued.token).me()).toMatchObject({ analyst: 'bob' })
  await expect(owning.addToken({ dataset: 'other', role: 'owner' })).rejects.toMatchObject({ status: 404 })
  await expect(owning.addToken({ dataset: 'people', role: 'analyst', name: 'bib' })).rejects.toMatchObject({
    message: expect.stringContaining('did you mean bob?'),
  })
  expect((await owning.tokens()).map(({ name }) => name)).toEqual([null, 'alice', 'bob'])
  const [file] = s.policies.map((policy) => `${policy}.tokens`) as [string]
  const kept = readFileSync(file, 'utf8')
  for (const token of [owner, alice, issued.token]) expect(kept).not.toContain(token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await owning.revokeToken(issued.id)
  await expect(s.client(issued.token).me()).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
  expect(s.log.join() + s.responses.join()).not.toContain(alice)
})

test('two processes that change the tokens at once lose none', async () => {
  const [, other] = s.policies as [string, string]
  await Promise.all(Array.from({ length: 8 }, (_, i) => s.token('analyst', `n${i}`, [other])))
  const program = resolve('dist/cli/main.js')
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'token', ...args, '--policy', other, '--json'])
  const added = JSON.parse(run('add', 'shell').stdout.toString())
  expect(added.token).toMatch(/^ret_[\w-]{43}$/)
  const { tokens } = JSON.parse(run('list').stdout.toString())
  expect(tokens).toHaveLength(10)
  expect(JSON.parse(run('revoke', added.tokens[0].id).stdout.toString()).revoked.name).toBe('shell')
  expect(run('revoke', added.tokens[0].id).status).toBe(2)
})

test('requests of other sites, and for other names, are refused', async () => {
  const own = new URL(s.url).host
  const { request } = await import('node:http')
  /** fetch lets nobody choose a Host. */
  const status = (headers: Record<string, string>) =>
    new Promise<number>((done) =>
      request(`${s.url}/api/me`, { headers: { authorization: `Bearer ${alice}`, ...headers } }, (response) => {
        response.resume()
        done(response.statusCode!)
      }).end(),
    )
  expect(await status({ host: own })).toBe(200)
  expect(await status({ host: own, origin: `http://${own}` })).toBe(200)
  expect(await status({ host: own, origin: 'https://evil.example' })).toBe(403)
  expect(await status({ host: own, origin: 'null' })).toBe(403)
  expect(await status({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403)
  expect(await status({ host: 'localhost' })).toBe(200)
  const reply = await s.request('/api/me', { token: alice })
  expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  expect(reply.headers.get('set-cookie')).toBeNull()
})

test('beyond this machine only with tokens; and not too many requests a second', async () => {
  const open = await new Serving().table('people')
  for (const beyond of [{ host: '0.0.0.0' }, { trustProxy: true }, { allowHosts: ['data.example.org'] }])
    await expect(open.start(beyond)).rejects.toMatchObject({ code: 'usage' })
  const token = await open.token('analyst')
  await open.start({ host: '0.0.0.0', rate: 5 })
  const url = open.url.replace('0.0.0.0', '127.0.0.1')
  const statuses = await Promise.all(
    // Ten at once, and five a second: all of them would need 18 seconds.
    Array.from({ length: 100 }, async () => {
      const response = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
      return response.status
    }),
  )
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
  expect(statuses).toContain(429)
  await open.stop()
})
