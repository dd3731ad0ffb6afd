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
