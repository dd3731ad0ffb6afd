import { expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { policyText, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const guarded = `${count} WHERE state IS NULL AND age > 80`
const guards = (query: string) => `${policyText}guards:\n  - { query: "${query}", within: 20, confidence: 0.9 }\n`
const workspace = (policy: string) => new Workspace({ 'reticent.yaml': policy }).withLedger()

test('what is guarded is sold wide and not narrow, and everything else as ever', async () => {
  const data = await open(workspace(guards(guarded)).path('reticent.yaml'))
  const facts = { query: guarded, within: 20, confidence: 0.9 }
  await expect(data.ask(guarded, { within: 15 })).rejects.toMatchObject({ code: 'guarded', facts })
  await expect(data.ask(guarded, { epsilon: 0.2 })).rejects.toMatchObject({ code: 'guarded', facts })
  for (const how of [{ within: 15 }, { epsilon: 0.2 }, { relative: 0.1, floor: 10 }])
    await expect(data.plan(guarded, how)).rejects.toMatchObject({ code: 'guarded', facts })
  const table = 'SELECT state, COUNT(*) FROM people WHERE age > 80 GROUP BY state'
  await expect(data.ask(table, { within: 15 })).rejects.toMatchObject({ code: 'guarded' })
  const tree = { of: ['age', 'state'], epsilon: 0.9 }
  await expect(data.planTree(tree)).rejects.toMatchObject({ code: 'guarded' })
  await expect(data.releaseTree(tree)).rejects.toMatchObject({ code: 'guarded' })
  expect((await data.budget()).spent.epsilon).toBe(0)

  expect(await data.ask(count, { within: 10 })).toMatchObject({ within: 10 })
  expect(await data.ask(table, { within: 60 })).toMatchObject({ kind: 'fresh' })
  // All but the guarded, and then all: the difference is guarded.
  const [young, old] = [
    `${count} WHERE NOT (state IS NULL AND age > 80)`,
    `${count} WHERE state IS NOT NULL OR age <= 80`,
  ]
  await expect(data.ask(young, { within: 10 })).rejects.toMatchObject({ code: 'guarded' })
  await expect(data.ask(old, { within: 10 })).rejects.toMatchObject({ code: 'guarded' })
  await data.close()
})

test('a guard that cannot be kept closes the table, and check says why', async () => {
  const place = workspace(policyText)
  place.write('reticent.yaml', guards('SELECT AVG(age) FROM people'))
  await expect(open(place.path('reticent.yaml'))).rejects.toMatchObject({ code: 'policy-invalid' })
  const checked = place.run('check', '--json')
  expect([checked.status, checked.json.problems[0].code]).toEqual([1, 'policy-invalid'])
  place.write('reticent.yaml', guards(guarded))
  expect(place.run('check', '--json').json).toMatchObject({ ok: true, promise: expect.stringContaining('Guarded: ') })
})
