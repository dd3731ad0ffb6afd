import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
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
function prepared() {
  const workspace = new Workspace({ 'people.csv': csv, 'reticent.yaml': policy })
  mkdirSync(workspace.path('tmp'))
  return workspace.withLedger()
}
function started(workspace: Workspace, ...args: string[]): ChildProcess {
  return workspace.spawn(args, { env: { TMPDIR: workspace.path('tmp') } })
}
/** The exit status, or the name of the signal that ended it. */
const ended = (child: ChildProcess) =>
  new Promise((done) => child.on('close', (status, signal) => done(signal ?? status)))
/** Temporary folders of ours; Node keeps compiled code beside them. */
export const leftIn = (workspace: Workspace) =>
  readdirSync(workspace.path('tmp')).filter((file) => file.startsWith('reticent'))
/** Until it has a temporary folder, or has ended. */
async function atWork(workspace: Workspace, child: ChildProcess): Promise<void> {
  const isAlive = () => child.exitCode === null && child.signalCode === null
  while (isAlive() && leftIn(workspace).length === 0) await new Promise((again) => setTimeout(again, 2))
}
/**
 * A command that gets these signals while it works, and how it ended. A machine that has much else to do may send them too late:
 * then the command is started anew, in another workspace. It works for a twentieth of a second at least, so that 20 times in a
 * row mean something else.
 */
export async function signalled(args: readonly string[], ...signals: readonly NodeJS.Signals[]) {
  for (let times = 0; times < 20; times++) {
    const workspace = prepared()
    const child = started(workspace, ...args)
    const end = ended(child)
    await atWork(workspace, child)
    for (const signal of signals) {
      child.kill(signal)
      await new Promise((next) => setTimeout(next, 5))
    }
    const status = await end
    if (status !== 0) return { workspace, status }
  }
  throw new Error('no signal came in time')
}
