import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkFormat } from './synth-formats.ts'
import { policy, spent, synthFiles, workspace } from './synth-workspace.ts'
import { Workspace } from './workspace.ts'

describe('a synthetic table', () => {
  // The long tests take the other formats.
  test('has the columns, values and types of the private one', () => checkFormat('parquet'))

  test('is planned for nothing and costs what was planned; the number of records is bought once', async () => {
    const place = workspace()
    const wanted = ['synth', '--method', 'independent', '--epsilon', '1', '--check', '0.25']
    const plan = (await place.here(...wanted, '--plan', '--records', '2000', '--json')).json
    expect(plan).toMatchObject({
      affordable: true,
      cost: { epsilon: 1.25 },
      records: { count: 2000, from: 'bought' },
      check: { epsilon: 0.25, pairs: 10 },
    })
    expect(plan.steps.map(({ name }: { name: string }) => name)).toEqual(['number of records', 'one-way marginals'])
    expect(await spent(place)).toBe(0)
    const made = place.run(...wanted, '--out', 'made.csv', '--json').json
    expect(made.cost.epsilon).toBeCloseTo(1.25, 9)
    expect(await spent(place)).toBeCloseTo(1.25, 9)
    expect(made.check.pairs).toHaveLength(10)
    // 3.9 is the noise in one of ten scores: 10/0.25 · √2 / 2n is 0.014, and their mean has a third of that.
    expect(made.check.deviation).toBeCloseTo((40 * Math.SQRT2) / Math.sqrt(10) / 4000, 3)
    expect(made.check.variation).toBeGreaterThan(0)
    expect(made.check.variation).toBeLessThan(1)
    const again = (await place.here(...wanted, '--plan', '--json')).json
    expect(again.records.from).toBe('history')
    expect(place.run('ledger', 'verify').status).toBe(0)
  })

  test('reads like this', () => {
    const place = workspace('neighbours: replace-one, epsilon: 5')
    const { stdout, stderr } = place.run(
      'synth',
      '--method',
      'independent',
      '--epsilon',
      '1',
      '--check',
      '1',
      '--out',
      'made.csv',
    )
    expect(stdout).toMatch(/^step +answers +of the budget +noise, sd\n─[─ ]+\none-way marginals +5 +100%/)
    expect(stdout).toContain('independent · 2,000 records · 2,000 rows of 5 columns')
    expect(stdout).toMatch(/checked: \S+% ± \S+% from the private table \(95%\), mean over 10 pairs/)
    expect(stderr).toMatch(
      /cost ε 2 · spent 2 · left 3\nreceipt \d+:\w+\n.*made\.csv; made\.report\.html, made\.synth\.json and made\.model\.json are beside it/,
    )
  })
})

describe('what makes no sense is refused, and nothing is spent:', () => {
  const place = workspace()
  writeFileSync(place.path('there.csv'), '')
  writeFileSync(place.path('other.report.html'), '')
  test.each([
    ['no price', ['--out', 'made.csv'], 'say what the synthetic table may cost'],
    ['no place', ['--epsilon', '1'], 'say where to write the table'],
    [
      'an unknown method',
      ['--epsilon', '1', '--method', 'independant', '--out', 'made.csv'],
      'did you mean independent?',
    ],
    ['an ε of 0', ['--epsilon', '0', '--out', 'made.csv'], 'above 0'],
    [
      'a number of rows that is none',
      ['--epsilon', '1', '--rows', '1.5', '--out', 'made.csv'],
      'whole number from 1 to',
    ],
    [
      'rounds of a method that has none',
      ['--epsilon', '1', '--method', 'independent', '--rounds', '3', '--out', 'made.csv'],
      'takes no rounds',
    ],
    ['no rows', ['--epsilon', '1', '--rows', '0', '--out', 'made.csv'], 'whole number from 1 to'],
    ['a check for nothing', ['--epsilon', '1', '--check', '0', '--out', 'made.csv'], 'the price of a check'],
    ['a share of all', ['--epsilon', '1', '--count-share', '1', '--out', 'made.csv'], 'below 1'],
    ['an ending that says no format', ['--epsilon', '1', '--out', 'made.xlsx'], '.csv, .parquet or .duckdb'],
    ['a file that exists', ['--epsilon', '1', '--out', 'there.csv'], 'exists already'],
    ['a file that exists, in a plan', ['--epsilon', '1', '--out', 'there.csv', '--plan'], 'exists already'],
    ['a report that exists', ['--epsilon', '1', '--out', 'other.csv'], 'exists already'],
    [
      'a number of records without a plan',
      ['--epsilon', '1', '--records', '5', '--out', 'made.csv'],
      'only works with --plan',
    ],
  ])('%s', async (_, args, message) => {
    const { status, stderr } = await place.here('synth', ...args)
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(synthFiles(place)).toEqual([])
  })
  // After all of the others: nothing of them was charged.
  test('more than is left', async () => {
    const { status, json } = place.run('synth', '--epsilon', '4.9', '--check', '0.2', '--out', 'made.csv', '--json')
    expect([status, json.error]).toMatchObject([1, { code: 'budget-exceeded', asked: 5.1, left: 5 }])
    const plan = await place.here('synth', '--epsilon', '5', '--plan', '--check', '1', '--json')
    expect(plan.json.affordable).toBe(false)
    expect(await spent(place)).toBe(0)
  })
})

describe('ask --model', () => {
  const place = workspace('neighbours: replace-one, epsilon: 5')
  place.run('synth', '--method', 'independent', '--epsilon', '4', '--out', 'made.csv')
  const ask = (sql: string, ...args: string[]) => place.here('ask', sql, '--model', 'made.model.json', ...args)

  test('answers counts, averages and groups, marked as the model’s and without an interval', async () => {
    const before = await spent(place)
    const count = (await ask('SELECT COUNT(*) FROM people WHERE age < 20', '--json')).json
    expect(count).toEqual({
      query: 'SELECT COUNT(*) FROM people WHERE age < 20',
      name: 'count',
      estimate: expect.any(Number),
      kind: 'model',
      model: 'made.model.json',
      cost: { epsilon: 0, delta: 0 },
    })
    // Half of the 2,000 people; the noise in a sum of 20 of its counts is far below 100.
    expect(Math.abs(count.estimate - 1000)).toBeLessThan(100)
    const two = (await ask('SELECT AVG(age), VARIANCE(age) FROM people', '--json')).json
    expect(two.answers.map(({ name }: { name: string }) => name)).toEqual(['avg', 'variance'])
    expect(Math.abs(two.answers[0].estimate - 19.5)).toBeLessThan(2)
    const by = 'SELECT member, COUNT(*), AVG(age) FROM people GROUP BY member ORDER BY 2 DESC'
    const groups = (await ask(by, '--json')).json
    expect(groups.keys).toEqual(['member'])
    expect(groups.answers[0].groups.map(({ key }: { key: object }) => key)).toEqual([
      { member: false },
      { member: true },
    ])
    const { stdout, stderr } = await ask('SELECT COUNT(*) FROM people')
    expect(stdout).toBe('2,000   (by the model)\n')
    expect(stderr).toContain('costs nothing')
    expect(await spent(place)).toBe(before)
  })

  test('needs neither ledger nor data', () => {
    const bare = new Workspace({ 'people.csv': '', 'reticent.yaml': policy('neighbours: replace-one, epsilon: 5') })
    bare.write('made.model.json', readFileSync(place.path('made.model.json')))
    expect(bare.run('ask', 'SELECT COUNT(*) FROM people', '--model', 'made.model.json').stdout).toContain('2,000')
  })

  test('refuses a model of another table, what is no model, and what a model cannot say', async () => {
    const refused = async (model: string, ...args: string[]) => {
      const { status, stderr } = await place.here('ask', 'SELECT COUNT(*) FROM people', '--model', model, ...args)
      expect(status).toBe(2)
      return stderr
    }
    expect(await refused('nowhere.json')).toContain('cannot be read')
    expect(await refused('people.csv')).toContain('is not JSON')
    expect(await refused('made.synth.json')).toContain('is not a model')
    expect(await refused('made.model.json', '--within', '5')).toContain('does not go with --within')
    expect(await refused('made.model.json', '--all-within')).toContain('does not go with --all-within')
    const stored = JSON.parse(readFileSync(place.path('made.model.json'), 'utf8'))
    const changed = (change: object) => {
      place.write('changed.json', JSON.stringify({ ...stored, ...change }))
      return refused('changed.json')
    }
    expect(await changed({ dataset: 'others' })).toContain('a model of "others"')
    expect(await changed({ attributes: stored.attributes.slice(1) })).toContain('other attributes')
    expect(await changed({ model: { ...stored.model, kind: 'oracle' } })).toContain('does not know')
    expect(await changed({ model: { ...stored.model, shares: stored.model.shares.slice(1) } })).toContain('damaged')
    expect(await changed({ model: { ...stored.model, records: -1 } })).toContain('no records')
  })
})
