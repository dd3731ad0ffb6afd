import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Workspace } from '../system/workspace.ts'

/** Three attributes of 40 values: releasing all their pairs takes a second. */
export const policy = `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 5 }
attributes:
  a: { integer: [0, 39], closed: true }
  b: { integer: [0, 39], closed: true }
  c: { integer: [0, 39], closed: true }
ledger: { sqlite: people.ledger }
`
export const csv = `a,b,c\n${Array.from({ length: 3000 }, (_, i) => `${i % 40},${(i * i) % 37},${i % 7}`).join('\n')}\n`
/** A workspace whose commands keep their temporary files inside it. */
export function prepared() {
  const workspace = new Workspace({ 'people.csv': csv, 'reticent.yaml': policy })
  mkdirSync(workspace.path('tmp'))
  return workspace.withLedger()
}
export function started(workspace: Workspace, ...args: string[]): ChildProcess {
  const env = { ...process.env, TMPDIR: workspace.path('tmp') }
  return spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd: workspace.dir, env })
}
/** The exit status, or the name of the signal that ended it. */
export const ended = (child: ChildProcess) =>
  new Promise((done) => child.on('close', (status, signal) => done(signal ?? status)))
/** Temporary folders of ours; Node keeps compiled code beside them. */
export const leftIn = (workspace: Workspace) =>
  readdirSync(workspace.path('tmp')).filter((file) => file.startsWith('reticent'))
/** Until a file or folder turns up. */
export async function sees(workspace: Workspace, folder: string, name: RegExp): Promise<void> {
  while (!readdirSync(workspace.path(folder)).some((file) => name.test(file)))
    await new Promise((again) => setTimeout(again, 2))
}
