import { existsSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Workspace } from './workspace.ts'

const bought = () => {
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
const lines = (place: Workspace, name: string) => readFileSync(place.path(name), 'utf8').trimEnd().split('\n')

describe('a synthetic table from the history alone', () => {
  test.each(['maxent', 'mixture'])('%s costs nothing, opens no data and says where it comes from', (method) => {
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
  })

  test('takes as many rows as were asked for', () => {
    const place = bought()
    const { status } = place.run('synth', '--free', '--rows', '1234', '--out', 'made.csv')
    expect(status).toBe(0)
    expect(lines(place, 'made.csv')).toHaveLength(1235)
  })

  test('is refused where nothing was released, and where something would have to be bought', () => {
    const place = new Workspace().withLedger()
    const empty = place.run('synth', '--free', '--out', 'made.csv', '--json')
    expect(empty.status).toBe(1)
    expect(empty.json.error.code).toBe('not-estimable')
    expect(empty.json.error.message).toContain('nothing has been released')
    for (const flags of [
      ['--epsilon', '0.5'],
      ['--check', '0.1'],
      ['--method', 'pairs'],
      ['--rounds', '3'],
    ])
      expect(place.run('synth', '--free', '--out', 'made.csv', ...flags).status, flags.join(' ')).toBe(2)
    expect(existsSync(place.path('made.csv'))).toBe(false)
    expect(existsSync(place.path('.made.csv.unfinished'))).toBe(false)
  })
})
