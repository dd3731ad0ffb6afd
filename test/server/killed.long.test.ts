import type { ChildProcess } from 'node:child_process'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { Workspace } from '../system/workspace.ts'

const endless = { kind: 'synth', options: { epsilon: 0.3, method: 'mwem', rounds: 400, rows: 1_000_000 } } as const

async function served(w: Workspace): Promise<{ child: ChildProcess; url: string }> {
  // Nobody reads the log here: a pipe would fill up, and the server would wait for its reader.
  const child = w.spawn(['serve', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const line = await new Promise<string>((found) => child.stdout!.once('data', (data) => found(String(data))))
  return { child, url: JSON.parse(line).url }
}
const ended = (child: ChildProcess) => new Promise((found) => child.once('exit', found))

test('of a server that is killed in mid-job, the next one says what the job spent, and the ledger verifies', async () => {
  const w = new Workspace().withLedger()
  const first = await served(w)
  const people = connect({ url: first.url }).dataset('people')
  // With scale 10/3 the number of records is known: nothing but the run itself is bought, and it has records to work with.
  await people.ask({ sql: 'SELECT COUNT(*) FROM people', epsilon: 0.3 })
  const before = (await people.budget()).budget.spent.epsilon
  const { id } = await people.startJob(endless)
  await expect.poll(async () => (await people.budget()).budget.spent.epsilon, { interval: 20 }).toBeGreaterThan(before)
  expect((await people.job(id)).state).toBe('running')
  first.child.kill('SIGKILL')
  await ended(first.child)

  const second = await served(w)
  const after = connect({ url: second.url }).dataset('people')
  const { state, cost, error } = await after.job(id)
  expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'interrupted' })
  const { spent } = (await after.budget()).budget
  // What was held for the run stays spent, beside what was spent before.
  expect(cost!.epsilon).toBeGreaterThan(0)
  expect(spent.epsilon).toBeCloseTo(before + cost!.epsilon, 9)
  const { ok } = await after.verifyLedger()
  expect(ok).toBe(true)
  expect(await after.ask({ sql: 'SELECT COUNT(*) FROM people WHERE age < 30', within: 100 })).toMatchObject({
    query: expect.any(String),
  })
  second.child.kill('SIGTERM')
  expect(await ended(second.child)).toBe(0)
  expect(w.run('ledger', 'verify').status).toBe(0)
})
