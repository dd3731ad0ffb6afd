import { readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { policyText, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'

test('analysts have quotas of their own, and all of them the dataset’s', () => {
  const policy = readFileSync(new Workspace().path('reticent.yaml'), 'utf8').replace(
    'epsilon: 1.0',
    'epsilon: 1.0\n  analysts: { alice: 0.3, bob: 0.9 }',
  )
  const w = new Workspace({ 'reticent.yaml': policy }).withLedger()
  const as = (name: string, epsilon: string) => w.run('ask', count, '--epsilon', epsilon, '--as', name, '--json')
  const nobody = w.run('ask', count, '--epsilon', '0.1', '--json')
  expect([nobody.status, nobody.json.error.code]).toEqual([2, 'analyst-required'])
  expect(as('alise', '0.1').json.error).toMatchObject({
    code: 'analyst-unknown',
    message: expect.stringContaining('alice'),
  })
  expect(as('alice', '0.3').status).toBe(0)
  expect(as('alice', '0.1').json.error).toMatchObject({ code: 'budget-exceeded', analyst: 'alice', left: 0 })
  expect(as('bob', '0.7').status).toBe(0)
  expect(as('bob', '0.1').json.error).toMatchObject({ code: 'budget-exceeded', left: 0 })
  expect(w.run('budget', '--json').json.analysts).toMatchObject([
    { name: 'alice', spent: { epsilon: 0.3 } },
    { name: 'bob', spent: { epsilon: 0.7 } },
  ])
})

test('commands within commands take the policy that they are given', () => {
  const w = new Workspace({ 'other.yaml': policyText }).withLedger()
  rmSync(w.path('reticent.yaml'))
  rmSync(w.path('reticent.yaml.head'))
  expect(w.run('ledger', 'verify', '--policy', 'other.yaml', '--json').json.ok).toBe(true)
  expect(w.run('release', 'tree', '--of', 'age', '--epsilon', '0.1', '--plan', '--policy', 'other.yaml').status).toBe(0)
})

test('a table has its keys though nothing is in it, and one number of digits in a column', () => {
  const w = new Workspace().withLedger()
  const by = 'SELECT sex, COUNT(*) AS n FROM people GROUP BY sex'
  const empty = w.run('ask', `${by} HAVING COUNT(*) > 1e9`, '--epsilon', '0.1')
  expect(empty.stdout.split('\n')[0]).toMatch(/^sex +n +all at once, 95% sure$/)
  const halves = w.run('ask', 'SELECT sex, AVG(age) FROM people GROUP BY sex', '--epsilon', '0.5').stdout
  const rows = halves.trim().split('\n').slice(2)
  const digits = new Set(rows.flatMap((row) => [...row.matchAll(/\.(\d+)/g)].map(([, d]) => d!.length)))
  expect([rows.length, digits.size]).toEqual([2, 1])
})

test('what was told before is told better now, for nothing', () => {
  const w = new Workspace().withLedger()
  w.run('ask', count, '--epsilon', '0.1')
  w.run('ask', 'SELECT sex, COUNT(*) FROM people GROUP BY sex', '--epsilon', '0.4')
  const before = w.run('budget', '--json').json.spent
  const { improved } = w.run('history', '--improve', '--json').json
  expect(improved).toMatchObject([
    {
      number: 2,
      statement: count,
      before: [{ within: 30 }],
      now: [{ within: expect.toSatisfy((x: number) => x < 12) }],
    },
    { number: 4, before: [{ groups: { length: 2 } }] },
  ])
  const text = w.run('history', '--improve').stdout
  expect(text).toMatch(/by itself, 95% sure +now, 95% sure/)
  expect(text).toMatch(/2 groups ±7/)
  expect(w.run('history', '2', '--improve', '--json').json.improved).toMatchObject([{ number: 2 }])
  expect(w.run('history', '3', '--improve').stderr).toContain('the row "3" has nothing to compare')
  expect(w.run('budget', '--json').json.spent).toEqual(before)
})
