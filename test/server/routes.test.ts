import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerRefusal } from '../../src/client/index.ts'
import { Serving } from '../support/serving.ts'

const s = new Serving()
let [owner, alice, bob] = ['', '', '']

beforeAll(async () => {
  await s.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { alice: 0.5, bob: 0.2 }'),
  )
  await s.table('other')
  const [people] = s.policies as [string]
  owner = await s.token('owner')
  alice = await s.token('analyst', 'alice', [people])
  bob = await s.token('analyst', 'bob', [people])
  await s.start()
})
afterAll(() => s.stop())

test('who one is, and what one sees', async () => {
  expect(await s.client(owner).me()).toMatchObject({ role: 'owner', datasets: [{ name: 'people' }, { name: 'other' }] })
  expect(await s.client(alice).me()).toEqual({
    role: 'analyst',
    analyst: 'alice',
    datasets: [{ name: 'people', role: 'analyst', analyst: 'alice' }],
  })
  const [only, ...more] = await s.client(alice).datasets()
  expect(more).toEqual([])
  expect(only).toMatchObject({ name: 'people', left: { epsilon: 0.5 }, cap: { epsilon: 1 } })
})

test('a data set says what may be asked, what is promised, and only her own cap to an analyst', async () => {
  const said = await s.client(alice).dataset('people').describe()
  expect(said.attributes.map(({ name, kind, cells }) => [name, kind, cells])).toEqual([
    ['age', 'integer', 74],
    ['income', 'decimal', 202],
    ['sex', 'values', 2],
    ['state', 'values', 5],
    ['born', 'date', 128],
    ['member', 'boolean', 3],
  ])
  expect(said.attributes[1]).toMatchObject({ low: '0', high: '200000', step: '1000', more: 142, hasNull: true })
  expect(said.promise.text).toContain('hide whether one row is in people or not')
  expect(said.promise.bet).toContain('73.1% sure')
  expect(said.analysts).toEqual([{ name: 'alice', cap: 0.5 }])
  expect((await s.client(owner).dataset('people').describe()).analysts).toHaveLength(2)
  for (const { sql, epsilon } of said.examples)
    expect(await s.client(alice).dataset('people').plan({ sql, epsilon })).toMatchObject({ affordable: true })
  expect(said.examples.length).toBeGreaterThan(3)
})

test("an attribute's values come page by page, and by what they contain", async () => {
  const people = s.client(alice).dataset('people')
  expect(await people.values('state')).toEqual({ total: 5, offset: 0, labels: ['CA', 'TX', 'NY', 'other', null] })
  expect(await people.values('income', { offset: 200, limit: 5 })).toEqual({
    total: 202,
    offset: 200,
    labels: ['200000', null],
  })
  expect((await people.values('income', { search: '99', limit: 2 })).labels).toEqual(['99000', '199000'])
  await expect(people.values('stat')).rejects.toMatchObject({ code: 'unknown-name', status: 400 })
})

test('plan, ask, ask again for nothing, and what the history then says', async () => {
  const people = s.client(alice).dataset('people')
  const sql = 'SELECT COUNT(*) FROM people WHERE age >= 65'
  const plan = await people.plan({ sql, within: 60 })
  expect(plan).toMatchObject({ kind: 'fresh', affordable: true, left: { epsilon: 0.5 } })
  const answer = await people.ask({ sql, within: 60, density: 20, explain: true, probability: '> 20' })
  expect(answer).toMatchObject({ kind: 'fresh', cost: plan.cost, within: 60, density: { masses: expect.any(Array) } })
  expect(answer).toMatchObject({ madeOf: [{ weight: 1 }], probability: expect.any(Number) })
  const again = await people.ask({ sql, within: 60 })
  expect(again).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  expect(await people.ask({ sql, within: 60 })).toEqual(again)

  const { releases } = await people.history()
  expect(releases).toMatchObject([{ analyst: 'alice', statement: sql, cost: plan.cost }])
  const improved = await people.improve(releases[0]!.number)
  expect(improved).toMatchObject({ statement: sql, before: [{ within: 60 }], now: [{ within: 60 }] })
  await expect(people.improve(999)).rejects.toMatchObject({ status: 404, code: 'not-found' })

  const budget = await people.budget()
  expect(budget.budget.analysts).toMatchObject([{ name: 'alice', spent: plan.cost }])
  expect(budget.steps).toMatchObject([{ analyst: 'alice', cost: plan.cost }])
  expect(budget.attributes.find(({ attribute }) => attribute === 'age')).toEqual({ attribute: 'age', share: 1 })
  expect(budget.attributes.find(({ attribute }) => attribute === 'sex')).toEqual({ attribute: 'sex', share: 0 })
})

test('a curve falls from what the budget does not allow to what is free', async () => {
  const people = s.client(alice).dataset('people')
  const curve = await people.curve({ sql: 'SELECT COUNT(*) FROM people WHERE age >= 65', points: 10 })
  expect(curve.points).toHaveLength(10)
  expect(curve.points.at(-1)).toMatchObject({ epsilon: 0, kind: 'free' })
  expect(curve.freeWithin).toBeGreaterThan(0)
  expect(curve.points[0]!.affordable).toBe(false)
  const prices = curve.points.map(({ epsilon }) => epsilon)
  expect(prices).toEqual([...prices].sort((a, b) => b - a))
  const unknown = await people.curve({ sql: "SELECT AVG(income) FROM people WHERE state = 'TX'", points: 6 })
  expect(unknown).toMatchObject({ freeWithin: null })
  expect(unknown.points.length).toBeGreaterThan(3)
  const stopped = new AbortController()
  const stale = people.curve({ sql: 'SELECT state, COUNT(*) FROM people GROUP BY 1' }, { signal: stopped.signal })
  stopped.abort()
  await expect(stale).rejects.toMatchObject({ name: 'AbortError' })
})

test('what is remembered for one analyst is not told to another', async () => {
  const [hers, his] = [alice, bob].map((token) => s.client(token).dataset('people'))
  const asked = { sql: 'SELECT COUNT(*) FROM people WHERE age >= 30', within: 20 }
  const plan = await hers!.plan(asked)
  expect((await his!.plan(asked)).left.epsilon).toBeCloseTo(0.2, 9)
  expect(plan.left.epsilon).toBeGreaterThan(0.2)
  expect(await hers!.plan(asked)).toEqual(plan)
  const curve = await hers!.curve({ sql: asked.sql })
  expect((await his!.curve({ sql: asked.sql })).left).not.toEqual(curve.left)
})

test('a model of the history answers without an interval', async () => {
  const answer = await s.client(alice).dataset('people').ask({ sql: 'SELECT COUNT(*) FROM people', model: 'kernel' })
  expect(answer).toMatchObject({ kind: 'model', estimate: expect.any(Number) })
  expect(answer).not.toHaveProperty('interval')
})

test('a question beyond the cap is refused with the best free answer, and nothing is spent', async () => {
  const people = s.client(bob).dataset('people')
  const refused = await people.ask({ sql: 'SELECT COUNT(*) FROM people WHERE age >= 65', within: 2 }).catch((e) => e)
  expect(refused).toBeInstanceOf(ServerRefusal)
  expect(refused).toMatchObject({ status: 402, code: 'budget-exceeded', free: { kind: 'free', within: 60 } })
  expect(refused.hint).toContain('The free answer is within ±60')
  expect((await people.budget()).budget.analysts).toMatchObject([{ name: 'bob', spent: { epsilon: 0 } }])
})

test('the owner sees the ledger, verifies it, and is told whether all is in order', async () => {
  const people = s.client(owner).dataset('people')
  const { budget } = await people.budget()
  const { rows } = await people.exportLedger()
  expect(rows).toHaveLength(Number.parseInt(budget.receipt, 10))
  expect(JSON.stringify(rows)).not.toContain('secret')
  expect(await people.verifyLedger(budget.receipt)).toMatchObject({ ok: true, continues: true, sums: 'kept' })
  expect(await people.verifyLedger(`1:${'0'.repeat(64)}`)).toMatchObject({ ok: false, continues: false })
  expect(await people.check()).toMatchObject({ ok: true, problems: [] })
  const denied = s.client(alice).dataset('people')
  for (const refused of [denied.exportLedger(), denied.verifyLedger(), denied.check(), s.client(alice).tokens()])
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'forbidden' })
})

test('health, metrics, and descriptions of all routes for programs and people', async () => {
  expect((await s.request('/healthz')).json).toEqual({ ok: true })
  expect((await s.request('/metrics')).status).toBe(401)
  expect((await s.request('/metrics', { token: alice })).status).toBe(403)
  const metrics = await s.request('/metrics', { token: owner })
  expect(metrics.text).toMatch(/^reticent_answers_total\{dataset="people",kind="fresh"\} 1$/m)
  expect(metrics.text).toMatch(/^reticent_spent_epsilon\{dataset="people"\} 0\.\d+$/m)
  const { json } = await s.request('/openapi.json')
  expect(json.openapi).toBe('3.1.0')
  expect(Object.keys(json.paths)).toHaveLength(22)
  const docs = await s.request('/docs')
  for (const path of Object.keys(json.paths)) expect(docs.text).toContain(path)
  expect(docs.text).not.toMatch(/https?:\/\//)
  expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'")
})
