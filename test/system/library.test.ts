import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { beginEpoch, open } from '../../src/index.ts'
import { policyText, Workspace } from './workspace.ts'

test('a dataset opened before an epoch sells nothing in the next one, however often it is asked', async () => {
  const w = new Workspace().withLedger()
  const policy = w.path('reticent.yaml')
  const stale = await open(policy)
  const ask = () => stale.ask("SELECT COUNT(*) FROM people WHERE sex = 'Male'", { epsilon: '0.9' })
  writeFileSync(policy, policyText.replace('[Female, Male]', '[Male, Female]'))
  await beginEpoch(policy)
  const gone = expect.objectContaining({ code: 'policy-changed' })
  await expect(ask()).rejects.toThrow(gone)
  await expect(stale.budget()).rejects.toThrow(gone)
  await expect(ask()).rejects.toThrow(gone)
  await stale.close()
  const fresh = await open(policy)
  expect((await fresh.budget()).spent.epsilon).toBe(0)
  await fresh.close()
})

test('numbers and texts mean the same ε, exactly', async () => {
  const census = await open(new Workspace().withLedger().path('reticent.yaml'))
  for (const epsilon of [0.1, '0.1', '1/10']) {
    const { cost } = await census.ask('SELECT COUNT(*) FROM people', { epsilon })
    expect(cost).toEqual({ epsilon: 0.1, delta: 0 })
  }
  expect((await census.budget()).spent.epsilon).toBe(0.3)
  await census.close()
})

test('a mistyped option, a question that is none and a closed dataset are refused', async () => {
  const data = await open(new Workspace().withLedger().path('reticent.yaml'))
  const count = 'SELECT COUNT(*) FROM people'
  await expect(data.ask(count, { within: 100, maxEpsillon: 0.01 } as never)).rejects.toThrow('did you mean maxEpsilon')
  await expect(data.ask(undefined as never, { within: 100 })).rejects.toThrow('SQL text')
  expect((await data.budget()).spent.epsilon).toBe(0)
  await data.close()
  await expect(data.ask(count, { within: 100 })).rejects.toThrow('closed')
})

test('a plan never raises more than it costs, and says what whoever asks has left', async () => {
  const policy = policyText.replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { alice: 0.2, bob: 1.0 }')
  const data = await open(new Workspace({ 'reticent.yaml': policy }).withLedger().path('reticent.yaml'))
  const ages = (from: number) => `SELECT COUNT(*) FROM people WHERE age >= ${from} AND sex = 'Male'`
  for (const from of [20, 30, 40, 50]) await data.ask(ages(from), { epsilon: '0.1', as: 'bob' })
  const ways = [{ epsilon: '0.1' }, { within: 40 }, { relative: 0.5, floor: 100 }]
  for (const way of ways) {
    const plan = await data.plan(ages(60), { ...way, as: 'alice' })
    expect(plan.raised.epsilon).toBeLessThanOrEqual(plan.cost.epsilon)
    expect(plan.left.epsilon).toBe(0.2)
  }
  await data.close()
})

test.each([
  ['the library', `await import('${new URL('../../dist/index.js', import.meta.url)}')`],
  ['the program', `await import('${new URL('../../dist/cli/main.js', import.meta.url)}')`],
])('on an older Node %s says so and ends, before a driver can crash', (_, code) => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' }, enumerable: true });"
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', older + code], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('Reticent needs Node 24 or later, and this is 20.20.2')
})
