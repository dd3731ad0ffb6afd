import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job, JobRequest } from '../../src/client/index.ts'
import type { Grant } from '../../src/server/access/access.ts'
import { JobFolder, type StoredJob } from '../../src/server/jobs/job-folder.ts'
import { defaultLimits, JobSpace } from '../../src/server/jobs/limits.ts'
import { Serving } from '../support/serving.ts'

// The attack: an analyst without any budget left starts synthetic tables that are free, as long as can be, one after the other. Their files are kept,
// until the disk is full and nobody's charge can be written any more.

const s = new Serving()
let [owner, alice, bob] = ['', '', '']
const limits = { rows: 2000, bytes: 600_000, allBytes: 3_000_000 }
const free = (rows: number) => ({ kind: 'synth', options: { free: true, rows } }) as const
const people = (token: string) => s.client(token).dataset('people')

async function ended(token: string, id: string): Promise<Job> {
  let last: Job | undefined
  for await (const job of people(token).follow(id)) last = job
  return last!
}

beforeAll(async () => {
  await s.table('people')
  ;[owner, alice, bob] = [await s.token('owner'), await s.token('analyst', 'alice'), await s.token('analyst', 'bob')]
  await s.start({ jobs: limits })
  await people(owner).ask({ sql: 'SELECT sex, COUNT(*) FROM people GROUP BY sex', epsilon: 0.5 })
})
afterAll(() => s.stop())

test('a table of more rows than the server allows is refused at once', async () => {
  for (const rows of [2001, 100_000_000, '1e8'] as const)
    await expect(people(alice).startJob({ kind: 'synth', options: { free: true, rows } })).rejects.toMatchObject({
      status: 413,
      code: 'too-large',
      message: expect.stringContaining('2000 rows'),
    })
})

test('whoever keeps too much starts no more, others do, and deleting makes room', async () => {
  const made: Job[] = []
  let refusal: unknown
  for (let i = 0; i < 40 && !refusal; i++) {
    const job = await people(alice)
      .startJob(free(2000))
      .catch((error) => {
        refusal = error
      })
    if (!job) break
    const done = await ended(alice, job.id)
    expect(done).toMatchObject({ state: 'done', cost: { epsilon: 0 } })
    made.push(done)
  }
  expect(refusal).toMatchObject({ status: 413, code: 'too-large', hint: expect.stringContaining('Delete the files') })
  expect(made.length).toBeGreaterThan(0)
  const bytes = made.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0)
  // Never more than the limit and the one job that went beyond it.
  expect(bytes).toBeLessThan(2 * limits.bytes)
  const others = await people(bob).startJob(free(10))
  expect((await ended(bob, others.id)).state).toBe('done')
  const [first] = made as [Job]
  await expect(people(bob).deleteJobFiles(first.id)).rejects.toMatchObject({ status: 403 })
  for (const { id } of made) expect(await people(alice).deleteJobFiles(id)).toMatchObject({ id, files: [] })
  await expect(people(alice).file(first.id, 'synthetic.csv')).rejects.toMatchObject({ status: 404 })
  const again = await people(alice).startJob(free(10))
  expect((await ended(alice, again.id)).state).toBe('done')
  const mine = await people(owner).deleteJobFiles(again.id)
  expect(mine).toMatchObject({ state: 'done', cost: { epsilon: 0 }, files: [] })
})

test('one analyst does not take all places in the line', async () => {
  const jobs = await Promise.allSettled(Array.from({ length: 8 }, () => people(alice).startJob(free(10))))
  const started = jobs.flatMap((job) => (job.status === 'fulfilled' ? [job.value] : []))
  const refused = jobs.filter((job) => job.status === 'rejected').map((job) => job.reason)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ status: 429, code: 'too-many-requests' })
  const job = await people(bob).startJob(free(10))
  for (const { id } of [...started, job]) await ended(owner, id)
})

describe('what is counted', () => {
  const root = mkdtempSync(join(tmpdir(), 'jobs-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const grant = (role: Grant['role'], tokenId: string): Grant => ({ dataset: 'people', role, name: null, tokenId })
  const request: JobRequest = { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } }
  const job = (id: string, change: Partial<StoredJob> = {}): StoredJob => ({
    ...{ id, ...request, analyst: null, state: 'done', share: 1, doing: null, cost: null, tokenId: 'a', since: 1 },
    ...{ created: '2026-01-01T00:00:00Z', ended: '2026-01-01T00:00:00Z' },
    ...change,
  })
  const folder = new JobFolder(root)
  const spaceOf = (all: readonly StoredJob[], given = {}) => {
    for (const each of all) folder.write(each)
    return new JobSpace(folder, { ...defaultLimits, ...given }, new Map(all.map((each) => [each.id, each])))
  }

  test('what a job under way has written counts, hidden files too', () => {
    const space = spaceOf([job('x', { state: 'running', ended: null })], { bytes: 5000 })
    expect(space.isFull(grant('analyst', 'a'), 'x')).toBe(false)
    writeFileSync(join(root, 'x', '.draft'), 'x'.repeat(5000))
    expect(space.isFull(grant('analyst', 'a'), 'x')).toBe(true)
    expect(space.isFull(grant('owner', 'o'), 'x')).toBe(false)
  })

  test('jobs that left nothing are forgotten, the oldest first, and only one’s own', () => {
    const many = Array.from({ length: 130 }, (_, i) => job(`c${i}`, { state: 'cancelled' }))
    const space = spaceOf([...many, job('other', { state: 'failed', tokenId: 'b' }), job('kept')])
    expect(space.forgettable('a').map(({ id }) => id)).toEqual(many.slice(0, 30).map(({ id }) => id))
    expect(space.forgettable('b')).toEqual([])
  })

  test('no more than 1,000 are kept', () => {
    const many = Array.from({ length: 1000 }, (_, i) => job(`k${i}`))
    const space = spaceOf(many)
    expect(() => space.admit(request, grant('analyst', 'a'))).toThrow('1000 jobs')
    expect(() => space.admit(request, grant('analyst', 'b'))).not.toThrow()
  })

  test('files grow old only where the owner says so', () => {
    const now = new Date().toISOString()
    const jobs = [job('old'), job('new', { ended: now }), job('gone', { deleted: true })]
    expect(spaceOf(jobs).outdated()).toEqual([])
    expect(
      spaceOf(jobs, { days: 30 })
        .outdated()
        .map(({ id }) => id),
    ).toEqual(['old'])
  })
})

test('at its start a server deletes what is too old, and its list stays', async () => {
  const job = await people(bob).startJob(free(10))
  await ended(bob, job.id)
  await s.stop()
  const files = join(`${s.policies[0]}.jobs`, job.id, 'files')
  expect(readdirSync(files)).toContain('synthetic.csv')
  const state = join(`${s.policies[0]}.jobs`, job.id, 'state.json')
  writeFileSync(state, JSON.stringify({ ...job, state: 'done', tokenId: 'x', since: 1, ended: '2020-01-01T00:00:00Z' }))
  utimesSync(state, 0, 0)
  await s.start({ jobs: { ...limits, days: 30 } })
  expect(existsSync(files)).toBe(false)
  expect(await people(owner).job(job.id)).toMatchObject({ state: 'done', files: [] })
})
