import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Workspace } from '../system/workspace.ts'

/** Three attributes of 40 values: releasing all their pairs takes a second. */
const policy = `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 5 }
attributes:
  a: { integer: [0, 39], closed: true }
  b: { integer: [0, 39], closed: true }
  c: { integer: [0, 39], closed: true }
ledger: { sqlite: people.ledger }
`
const csv = `a,b,c\n${Array.from({ length: 3000 }, (_, i) => `${i % 40},${(i * i) % 37},${i % 7}`).join('\n')}\n`

/** A workspace whose commands keep their temporary files inside it. */
function prepared() {
  const workspace = new Workspace({ 'people.csv': csv, 'reticent.yaml': policy })
  mkdirSync(workspace.path('tmp'))
  return workspace.withLedger()
}

function started(workspace: Workspace, ...args: string[]): ChildProcess {
  const env = { ...process.env, TMPDIR: workspace.path('tmp') }
  return spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd: workspace.dir, env })
}

/** The exit status, or the name of the signal that ended it. */
const ended = (child: ChildProcess) =>
  new Promise((done) => child.on('close', (status, signal) => done(signal ?? status)))

/** Temporary folders of ours; Node keeps compiled code beside them. */
const leftIn = (workspace: Workspace) =>
  readdirSync(workspace.path('tmp')).filter((file) => file.startsWith('reticent'))

/** Until a file or folder turns up. */
async function sees(workspace: Workspace, folder: string, name: RegExp): Promise<void> {
  while (!readdirSync(workspace.path(folder)).some((file) => name.test(file)))
    await new Promise((again) => setTimeout(again, 2))
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a release that gets %s closes its run and leaves no folder', async (signal, status) => {
  const workspace = prepared()
  const child = started(workspace, 'release', 'marginals', '--ways', '2', '--epsilon', '1', '--out', 'tables')
  const end = ended(child)
  // The database is open then, and the run about to be.
  await sees(workspace, 'tmp', /^reticent-/)
  child.kill(signal)
  expect(await end).toBe(status)
  expect(readdirSync(workspace.dir).filter((file) => file.includes('tables'))).toEqual([])
  expect(leftIn(workspace)).toEqual([])
  expect(workspace.run('ledger', 'verify').status).toBe(0)
  const { releases } = workspace.run('history', '--json').json
  expect(releases.filter(({ state }: { state: string }) => state === 'open')).toEqual([])
})

test('a second signal ends it at once', async () => {
  const workspace = prepared()
  const child = started(workspace, 'release', 'marginals', '--ways', '2', '--epsilon', '1', '--out', 'tables')
  const end = ended(child)
  await sees(workspace, 'tmp', /^reticent-/)
  child.kill('SIGINT')
  await new Promise((again) => setTimeout(again, 5))
  child.kill('SIGTERM')
  // Either it was quicker to stop by itself, or it was ended.
  expect([130, 'SIGTERM']).toContain(await end)
})

test.each([
  ['a question', ['ask', 'SELECT a, b, COUNT(*) FROM people GROUP BY a, b', '--epsilon', '0.1']],
  ['a tree', ['release', 'tree', '--of', 'a', '--epsilon', '0.1']],
  ['a draft', ['init', 'people.csv', '--policy', 'draft.yaml']],
  ['a check', ['check']],
])('%s that gets a signal leaves no temporary files and an orderly ledger', async (_, args) => {
  const workspace = prepared()
  const child = started(workspace, ...args)
  const end = ended(child)
  await sees(workspace, 'tmp', /^reticent-/)
  child.kill('SIGTERM')
  expect(await end).toBe(143)
  expect(leftIn(workspace)).toEqual([])
  expect(readdirSync(workspace.dir)).not.toContain('draft.yaml')
  expect(workspace.run('ledger', 'verify').status).toBe(0)
})
