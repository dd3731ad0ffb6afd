import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leftIn, signalled } from './signalled-workspace.ts'

test('a second signal ends it at once', async () => {
  const args = ['release', 'marginals', '--ways', '2', '--epsilon', '1', '--out', 'tables']
  const { status } = await signalled(args, 'SIGINT', 'SIGTERM')
  // Either it was quicker to stop by itself, or it was ended.
  expect([130, 'SIGTERM']).toContain(status)
})

test.each([
  ['a question', ['ask', 'SELECT a, b, COUNT(*) FROM people GROUP BY a, b', '--epsilon', '0.1']],
  ['a tree', ['release', 'tree', '--of', 'a', '--epsilon', '0.1']],
  ['a draft', ['init', 'people.csv', '--policy', 'draft.yaml']],
  ['a check', ['check']],
])('%s that gets a signal leaves no temporary files and an orderly ledger', async (_, args) => {
  const { workspace, status } = await signalled(args, 'SIGTERM')
  expect(status).toBe(143)
  expect(leftIn(workspace)).toEqual([])
  expect(readdirSync(workspace.dir)).not.toContain('draft.yaml')
  expect(workspace.run('ledger', 'verify').status).toBe(0)
})
