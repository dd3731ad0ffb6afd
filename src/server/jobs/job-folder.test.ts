import { mkdtempSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { heartbeat, JobFolder, type StoredJob } from './job-folder.ts'

const job: StoredJob = {
  id: 'a',
  kind: 'tree',
  options: { of: ['age'], epsilon: 0.1 },
  analyst: null,
  state: 'running',
  share: 0,
  doing: null,
  created: '2026-01-01T00:00:00Z',
  ended: null,
  cost: null,
  tokenId: null,
  since: 1,
}

test('a job that another process is at work on is left alone; one that nobody works on is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'jobs-'))
  const folder = new JobFolder(root)
  const read = () => folder.read().map(({ id }) => id)
  // This process' parent runs, and is not this one.
  folder.write({ ...job, process: process.ppid })
  expect(read()).toEqual([])
  const longAgo = new Date(Date.now() - 4 * heartbeat)
  utimesSync(join(root, 'a', 'state.json'), longAgo, longAgo)
  expect(read()).toEqual(['a'])
  folder.touch('a')
  expect(read()).toEqual([])
  // No process has such a number.
  for (const other of [2 ** 30, process.pid, undefined]) {
    folder.write({ ...job, process: other })
    expect(read()).toEqual(['a'])
  }
  folder.write({ ...job, state: 'done', process: process.ppid })
  expect(read()).toEqual(['a'])
})
