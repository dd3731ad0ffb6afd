import { describe, expect, test } from 'vitest'
import { Workspace } from '../system/workspace.ts'

/** 505 × 300 groups: more than a call has room for as arguments. */
const groups = 151_500
const workspace = new Workspace({
  'many.csv': `a,b\n${Array.from({ length: 1000 }, (_, i) => `${i % 505},${i % 300}`).join('\n')}\n`,
  'reticent.yaml': `dataset: many
source: { duckdb: many.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 1 }
attributes:
  a: { integer: [0, 504], closed: true }
  b: { integer: [0, 299], closed: true }
ledger: { sqlite: many.ledger }
`,
}).withLedger()
const sql = 'SELECT a, b, COUNT(*) FROM many GROUP BY a, b'

describe('a table of very many groups', () => {
  test('is printed for people, line by line', async () => {
    const { status, stdout } = await workspace.start('ask', sql, '--epsilon', '0.5')
    expect(status).toBe(0)
    expect(stdout.split('\n')).toHaveLength(groups + 3)
    expect(stdout.split('\n').at(-2)).toMatch(/^504 +299 /)
  })

  test('is printed as JSON, and is the one that was paid for', async () => {
    const { status, json } = await workspace.start('ask', sql, '--free', '--json')
    expect(status).toBe(0)
    expect(json.groups).toHaveLength(groups)
    expect(json.groups.at(-1).key).toEqual({ a: 504, b: 299 })
  })

  test.each([[], ['--json']])('is cut off without a word by a reader that has seen enough %s', async (...flags) => {
    const child = workspace.spawn(['ask', sql, '--free', ...flags])
    let stderr = ''
    child.stderr!.on('data', (data) => {
      stderr += data
    })
    child.stdout!.once('data', () => child.stdout!.destroy())
    const status = await new Promise((done) => child.on('close', done))
    expect(status).toBe(0)
    expect(stderr).not.toMatch(/EPIPE|inside Reticent|at /)
  })
})
