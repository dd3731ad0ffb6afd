import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { laplaceHalfWidth } from '../../src/numeric/index.ts'
import { people, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const rows = people.split('\n').length - 1

test('from a table and a policy to a private answer', () => {
  const w = new Workspace()
  expect(w.run('ledger', 'create')).toMatchObject({ status: 0, stdout: expect.stringContaining('created') })
  const { status, json } = w.run('ask', `${count} WHERE age >= 18`, '--epsilon', '0.5', '--json')
  expect(status).toBe(0)
  const half = laplaceHalfWidth(2, 0.95)
  expect(json).toMatchObject({
    query: `${count} WHERE age >= 18`,
    confidence: 0.95,
    within: half,
    kind: 'fresh',
    cost: { epsilon: 0.5, delta: 0 },
    raised: { epsilon: 0.5, delta: 0 },
    spent: { epsilon: 0.5, delta: 0 },
    left: { epsilon: 0.5, delta: 0 },
  })
  expect(json.interval).toEqual([json.estimate - half, json.estimate + half])
  // The noise has scale 2: beyond 60 with probability 2·10^-13.
  expect(Math.abs(json.estimate - rows)).toBeLessThan(60)
  expect(json.receipt).toMatch(/^3:[0-9a-f]{64}$/)
  // One answer alone cannot disagree.
  expect(json.disagreement).toBeUndefined()
})

test('ten questions at 0.1 fit a budget of 1, the eleventh does not', () => {
  const w = new Workspace().withLedger()
  w.write('eleven.sql', `${count};\n`.repeat(11))
  const { status, stdout } = w.run('ask', '-f', 'eleven.sql', '--epsilon', '0.1', '--json')
  expect(status).toBe(1)
  const said = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(said.slice(0, 10).map(({ spent }) => spent.epsilon)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
  expect(said[10].error).toMatchObject({ code: 'budget-exceeded', asked: 0.1, left: 0, cap: 1 })
  expect(w.run('budget', '--json').json).toMatchObject({ spent: { epsilon: 1 }, left: { epsilon: 0 }, purchases: 10 })
})

test('questions about different people share the budget: the worst cell counts, not the sum', async () => {
  const w = new Workspace().withLedger()
  await w.here('ask', `${count} WHERE age < 40`, '--epsilon', '0.6', '--json')
  const other = await w.here('ask', `${count} WHERE age >= 40`, '--epsilon', '0.6', '--json')
  expect(other.json).toMatchObject({
    cost: { epsilon: 0.6 },
    raised: { epsilon: 0 },
    spent: { epsilon: 0.6 },
    left: { epsilon: 0.4 },
  })
})

test('groups, averages and several aggregates', async () => {
  const w = new Workspace().withLedger()
  const byState = 'SELECT state, COUNT(*) FROM people GROUP BY state'
  const { json: groups } = await w.here('ask', byState, '--epsilon', '0.2', '--json')
  expect(groups.groups.map((g: { key: object }) => g.key)).toEqual([
    { state: 'CA' },
    { state: 'TX' },
    { state: 'NY' },
    { state: 'other' },
    { state: null },
  ])
  expect(groups.cost.epsilon).toBe(0.2)
  const both = "SELECT AVG(age), COUNT(*) FILTER (WHERE sex = 'Male') AS men FROM people"
  const { json: many } = await w.here('ask', both, '--epsilon', '0.3', '--json')
  expect(many.answers.map((a: { name: string }) => a.name)).toEqual(['avg', 'men'])
  expect(many.parts.map((p: { epsilon: number }) => p.epsilon)).toEqual([0.1, 0.1, 0.1])
  const [low, high] = many.answers[0].interval
  expect(low).toBeGreaterThanOrEqual(17)
  expect(high).toBeLessThanOrEqual(90)
})

test('a plan touches nothing', async () => {
  const w = new Workspace().withLedger()
  const { status, json } = await w.here('ask', count, '--epsilon', '0.25', '--plan', '--json')
  expect(status).toBe(0)
  expect(json).toMatchObject({
    cost: { epsilon: 0.25 },
    affordable: true,
    parts: [{ epsilon: 0.25, scale: 4, within: laplaceHalfWidth(4, 0.95) }],
  })
  expect((await w.here('budget', '--json')).json.spent.epsilon).toBe(0)
  // What cannot be had is told all the same.
  expect((await w.here('ask', count, '--epsilon', '2', '--plan', '--json')).json).toMatchObject({
    affordable: false,
    parts: [{ epsilon: 2, within: laplaceHalfWidth(0.5, 0.95) }],
  })
})

test('history tells what was asked, and the answers are in the ledger', () => {
  const w = new Workspace().withLedger()
  w.run('ask', `${count} WHERE sex = 'Female'`, '--epsilon', '0.25')
  const [entry] = w.run('history', '--json').json.releases
  expect(entry).toMatchObject({
    statement: `${count} WHERE sex = 'Female'`,
    state: 'recorded',
    measurements: [{ query: 'count where sex = Female', cells: 1, epsilon: 0.25, scale: 4 }],
  })
  const exported = w
    .run('ledger', 'export')
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exported.map((row) => row.row?.kind ?? row.kind)).toEqual(['create', 'reserve', 'record'])
})

test('under replace-one the number of rows is public and free, and a marginal costs double', async () => {
  const policy = readFileSync(new Workspace().path('reticent.yaml'), 'utf8').replace('add-remove', 'replace-one')
  const w = new Workspace({ 'reticent.yaml': policy }).withLedger()
  expect((await w.here('ask', count, '--epsilon', '0.1', '--json')).json).toMatchObject({
    estimate: rows,
    interval: [rows, rows],
    cost: { epsilon: 0 },
    spent: { epsilon: 0 },
  })
  const bySex = 'SELECT sex, COUNT(*) FROM people GROUP BY sex'
  const grouped = await w.here('ask', bySex, '--epsilon', '0.5', '--json')
  expect(grouped.json).toMatchObject({ cost: { epsilon: 0.5 }, parts: [{ scale: 4 }] })
})

test('a person with many rows is protected as a whole', async () => {
  const visits = [
    'who,age',
    ...Array.from({ length: 400 }, (_, i) => `${i < 200 ? 'p' : `q${i}`},${20 + (i % 50)}`),
  ].join('\n')
  const policy = `dataset: visits
source: { duckdb: visits.csv }
privacy: { unit: { column: who, rows: 2 }, epsilon: 1.0 }
attributes: { age: { integer: [0, 99] } }
ledger: { sqlite: visits.ledger }
`
  const w = new Workspace({ 'visits.csv': visits, 'reticent.yaml': policy }).withLedger()
  const { json } = await w.here('ask', 'SELECT COUNT(*) FROM visits', '--epsilon', '0.5', '--json')
  expect(json).toMatchObject({ cost: { epsilon: 0.5 }, parts: [{ scale: 4 }] })
  expect(json.notes).toEqual(['at most 2 rows of one who count; others are left out'])
  // 200 people with one row each, and one whose 200 rows count as two; noise of scale 4 beyond 120: 10^-13.
  expect(Math.abs(json.estimate - 202)).toBeLessThan(120)
})

test('help, version and mistyped commands', () => {
  const w = new Workspace()
  const help = w.run('ask', '--help')
  expect(help.status).toBe(0)
  expect(help.stdout).toContain('Examples:')
  expect(w.run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const none = w.run()
  expect([none.status, none.stdout]).toEqual([2, ''])
  expect(none.stderr).toContain('Usage: reticent')
  const wrong = w.run('aks')
  expect(wrong.status).toBe(2)
  expect(wrong.stderr).toContain('ask')
})
