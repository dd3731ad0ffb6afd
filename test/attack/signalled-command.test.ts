import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leftIn, signalled } from './signalled-workspace.ts'

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a release that gets %s closes its run and leaves no folder', async (signal, status) => {
  // The database is open then, and the run about to be.
  const args = ['release', 'marginals', '--ways', '2', '--epsilon', '1', '--out', 'tables']
  const { workspace, status: found } = await signalled(args, signal)
  expect(found).toBe(status)
  expect(readdirSync(workspace.dir).filter((file) => file.includes('tables'))).toEqual([])
  expect(leftIn(workspace)).toEqual([])
  expect(workspace.run('ledger', 'verify').status).toBe(0)
  const { releases } = workspace.run('history', '--json').json
  expect(releases.filter(({ state }: { state: string }) => state === 'open')).toEqual([])
})
