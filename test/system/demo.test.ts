import { expect, test } from 'vitest'
import { Workspace } from './workspace.ts'

test('the demo makes a census and asks it, remembering what it has said', () => {
  const w = new Workspace()
  const { status, json, stderr } = w.run('demo', '--rows', '2000', '--dir', 'census', '--json')
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(json.answers.map((a: { kind: string }) => a.kind)).toEqual(['fresh', 'fresh', 'free', 'refined', 'combined'])
  expect(json.budget.spent.epsilon).toBeGreaterThan(0)
  // Once more: what is there stays, and what was bought is free.
  const again = w.run('demo', '--dir', 'census', '--json').json
  expect(again.answers.slice(0, 4).map((a: { kind: string }) => a.kind)).toEqual(['free', 'free', 'free', 'free'])
  expect(w.run('demo', '--rows', 'many').status).toBe(2)
  expect(w.run('check', '--policy', 'census/reticent.yaml').status).toBe(0)
})
