import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bought, lines } from './free-table.ts'
import { Workspace } from './workspace.ts'

describe('a synthetic table from the history alone', () => {
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
      ['--method', 'mixture', '--alpha', '1'],
    ])
      expect(place.run('synth', '--free', '--out', 'made.csv', ...flags).status, flags.join(' ')).toBe(2)
    expect(existsSync(place.path('made.csv'))).toBe(false)
    expect(existsSync(place.path('.made.csv.unfinished'))).toBe(false)
  })
})
