import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ended, leftIn, prepared, sees, started } from './signalled-workspace.ts'

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
