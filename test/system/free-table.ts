import { readFileSync, rmSync } from 'node:fs'
import { expect } from 'vitest'
import { Workspace } from './workspace.ts'

export const bought = () => {
  const place = new Workspace().withLedger()
  const { status, stderr } = place.run(
    'release',
    'marginals',
    '--of',
    'age; sex,state; sex,member',
    '--epsilon',
    '0.8',
    '--out',
    'tables',
  )
  expect(status, stderr).toBe(0)
  return place
}
export const lines = (place: Workspace, name: string) => readFileSync(place.path(name), 'utf8').trimEnd().split('\n')

/** What `synth --free` makes by a method costs nothing, needs no data, and says where it comes from. */
export function checkFreeTable(method: string): void {
  const place = bought()
  const before = place.run('budget', '--json').json.spent
  // Without the data nothing could be bought.
  rmSync(place.path('people.csv'))
  const plan = place.run('synth', '--free', '--method', method, '--plan', '--json').json
  expect(plan).toMatchObject({ method, free: true, answers: 4, cost: { epsilon: 0 } })
  const made = place.run('synth', '--free', '--method', method, '--out', 'made.csv', '--json')
  expect(made.status, made.stderr).toBe(0)
  expect(made.json).toMatchObject({ method, free: true, answers: 4, cost: { epsilon: 0 }, measured: [], steps: [] })
  expect(made.json.records.from).toBe('history')
  const stored = JSON.parse(readFileSync(place.path('made.synth.json'), 'utf8'))
  expect(stored).toMatchObject({ free: true, answers: 4, receipt: made.json.receipt })
  expect(stored.known).toHaveLength(4)
  expect(lines(place, 'made.csv')).toHaveLength(1 + made.json.rows)
  expect(place.run('budget', '--json').json.spent).toEqual(before)
  // 300 people, a third of them women; the noise of a marginal's cells is about ±5.
  const asked = place.run(
    'ask',
    "SELECT COUNT(*) FROM people WHERE sex = 'Female'",
    '--model',
    'made.model.json',
    '--json',
  )
  expect(asked.json.estimate).toBeGreaterThan(50)
  expect(asked.json.estimate).toBeLessThan(150)
  const history = place.run('ask', "SELECT COUNT(*) FROM people WHERE sex = 'Female'", '--model', method, '--json')
  expect(history.json).toMatchObject({ kind: 'model', model: method, cost: { epsilon: 0 } })
  expect(Math.abs(history.json.estimate - asked.json.estimate)).toBeLessThan(20)
}
