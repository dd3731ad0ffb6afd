import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job, JobRequest } from '../../src/client/index.ts'
import { listTokens, revokeToken } from '../../src/server/index.ts'
import { Serving } from '../support/serving.ts'

const s = new Serving()
let [owner, alice, bob] = ['', '', '']
// Laplace noise of one size does not depend on a number of records that is bought, and could be mostly noise. So little of it
// tells how many there are: later jobs find some, whatever is drawn.
const options = { of: [['sex', 'state'], ['age']], epsilon: 10, method: 'laplace' as const }
const marginals: JobRequest = { kind: 'marginals', options }
const endless = { kind: 'synth', options: { epsilon: 5, method: 'mwem', rounds: 40 } } as const

beforeAll(async () => {
  await s.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 100\n  analysts: { alice: 50, bob: 50 }').replace(/ {2}income.*\n/, ''),
  )
  ;[owner, alice, bob] = [await s.token('owner'), await s.token('analyst', 'alice'), await s.token('analyst', 'bob')]
  await s.start()
})
afterAll(() => s.stop())

const people = (token: string) => s.client(token).dataset('people')

async function followed(token: string, id: string): Promise<Job[]> {
  const seen: Job[] = []
  for await (const job of people(token).follow(id)) seen.push(job)
  return seen
}

test('marginals: plan, start, follow, look at tables, download', async () => {
  // How many records there are is not known yet, and this method depends on it.
  const dependent: JobRequest = { kind: 'marginals', options: { ...options, method: 'ireduct' } }
  await expect(people(alice).planJob(dependent)).rejects.toMatchObject({ status: 400, code: 'usage' })
  const plan = await people(alice).planJob({ kind: 'marginals', options: { ...options, records: 300 } })
  expect(plan).toMatchObject({ affordable: true, marginals: [{ cells: 10 }, { cells: 74 }] })
  const job = await people(alice).startJob(marginals)
  expect(job).toMatchObject({ analyst: 'alice', files: [], cost: null })
  const seen = await followed(alice, job.id)
  const done = seen.at(-1)!
  expect(done).toMatchObject({ state: 'done', share: 1, cost: { epsilon: expect.any(Number) } })
  expect(done.cost!.epsilon).toBeGreaterThan(0)
  expect(done.cost!.epsilon).toBeLessThanOrEqual(10)
  expect(done.files.map(({ name }) => name).sort()).toEqual([
    'age.csv',
    'release.json',
    'report.html',
    'sex_by_state.csv',
  ])
  const { tables } = await people(bob).tables(job.id)
  expect(tables.map(({ counts }) => counts.length)).toEqual([10, 74])
  expect(tables[0]!.attributes[1]).toMatchObject({ name: 'state', labels: ['CA', 'TX', 'NY', 'other', null] })
  const csv = await (await people(bob).file(job.id, 'age.csv')).text()
  expect(csv.split('\n')[0]).toContain('age,')
  await expect(people(bob).file(job.id, '../state.json')).rejects.toMatchObject({ status: 404 })
  const report = await s.request(`/api/datasets/people/jobs/${job.id}/files/report.html`, { token: bob })
  expect(report.headers.get('content-disposition')).toContain('attachment')
  await expect(people(alice).cancelJob(job.id)).rejects.toMatchObject({ status: 409, code: 'conflict' })
  await expect(people(bob).cancelJob(job.id)).rejects.toMatchObject({ status: 403 })
  expect(s.log.filter((line) => line.includes('"event":"job"')).map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'marginals', who: 'alice', state: 'done', cost: done.cost!.epsilon },
  ])
})

test('a job is cancelled by who started it, and says what it spent', async () => {
  const before = (await people(owner).history()).releases.length
  const job = await people(alice).startJob(endless)
  const waiting = await people(alice).startJob(marginals)
  expect(waiting.state).toBe('waiting')
  expect(await people(alice).cancelJob(waiting.id)).toMatchObject({ state: 'cancelled', cost: { epsilon: 0 } })
  await people(owner).cancelJob(job.id)
  const ended = (await followed(alice, job.id)).at(-1)!
  // It may just have been done.
  expect(['cancelled', 'done']).toContain(ended.state)
  const { releases } = await people(owner).history()
  const own = releases.slice(before).reduce((sum, { cost }) => sum + cost.epsilon, 0)
  expect(ended.cost!.epsilon).toBeCloseTo(own, 9)
})

test('a revoked token ends its job and its stream; the next request is refused', async () => {
  const job = await people(bob).startJob(endless)
  const stream = followed(bob, job.id)
  const mine = (await listTokens(s.policies)).find(({ name }) => name === 'bob')!
  await revokeToken(mine.id, s.policies)
  await stream
  await expect(people(bob).job(job.id)).rejects.toMatchObject({ status: 401 })
  const ended = (await followed(owner, job.id)).at(-1)!
  expect(['cancelled', 'done']).toContain(ended.state)
})

test('jobs survive a restart; one that was under way has failed, with what the ledger says it spent', async () => {
  const before = await people(owner).jobs()
  await s.stop()
  const root = `${s.policies[0]}.jobs`
  const [id] = readdirSync(root) as [string]
  const file = join(root, id, 'state.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  const wasDone = before.find((job) => job.id === id)!
  // As a killed server would have left it.
  writeFileSync(file, JSON.stringify({ ...state, state: 'running', cost: null, ended: null }))
  await s.start()
  const after = await people(owner).jobs()
  expect(after.map((job) => job.id)).toEqual(before.map((job) => job.id))
  const failed = after.find((job) => job.id === id)!
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'interrupted' } })
  expect(failed.cost!.epsilon).toBeGreaterThanOrEqual(wasDone.cost!.epsilon)
  for (const job of after.filter((each) => each.id !== id))
    expect(job).toEqual(before.find((each) => each.id === job.id))
})

test('a server that stops lets asks end, refuses new ones, and stops its job', async () => {
  const job = await people(alice).startJob(endless)
  const ask = people(alice)
    .ask({ sql: 'SELECT COUNT(*) FROM people WHERE age < 30', within: 30 })
    .catch((error) => error)
  const { url } = s
  const stopping = s.stop()
  const answer = await ask
  // Answered; or told that the server stops, before anything was spent.
  if (answer instanceof Error) expect(answer).toMatchObject({ code: expect.stringMatching(/stopping|unreachable/) })
  else expect(answer.kind).toMatch(/fresh|free|combined/)
  await stopping
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  await s.start()
  expect(['cancelled', 'failed', 'done']).toContain((await people(alice).job(job.id)).state)
})
