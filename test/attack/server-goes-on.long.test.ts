import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

test('threads that could not open a ledger open it once it is in order', async () => {
  const s = await new Serving().table('people')
  await s.start()
  const ask = () =>
    s.request('/api/datasets/people/ask', { body: { sql: 'SELECT COUNT(*) FROM people', epsilon: 0.1 } })
  const [ledger, other] = ['people.ledger', 'other.ledger'].map((name) => join(s.dir, name)) as [string, string]
  try {
    linkSync(ledger, other)
    expect((await ask()).json.error.code).toBe('ledger-two-names')
    rmSync(other)
    expect((await ask()).status).toBe(200)
  } finally {
    await s.stop()
  }
})

test('jobs outlive their folder, and begin only where there can be one', async () => {
  const s = await new Serving().table('people')
  await s.start()
  const [path, folder] = ['/api/datasets/people/jobs', `${s.policies[0]}.jobs`]
  const start = () => s.request(path, { body: { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } } })
  try {
    const { id } = (await start()).json
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    const refused = await start()
    expect([refused.status, refused.json.error.code]).toEqual([503, 'output-unwritable'])
    const state = async () => (await s.request(`${path}/${id}`)).json.state
    await expect.poll(state, { interval: 50 }).toBe('done')
    expect((await s.request(path)).json.jobs).toHaveLength(1)
  } finally {
    await s.stop()
  }
})
