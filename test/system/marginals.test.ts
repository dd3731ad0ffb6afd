import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type MarginalsOptions, open } from '../../src/index.ts'
import { laplaceVariance } from '../../src/numeric/index.ts'
import { csv, policy, priced, release, rows, sexes, spent, sum, table, workspace } from './marginals-release.ts'
import { Workspace } from './workspace.ts'

describe.each(['add-remove', 'replace-one'])('with %s neighbours', (neighbours) => {
  test('a release is planned, bought, written, and answers later questions', async () => {
    const place = workspace(neighbours)
    const isPublic = neighbours === 'replace-one'
    const wanted = ['--ways', '2', '--epsilon', '2']
    const plan = release(place, ...wanted, '--plan', '--json', ...(isPublic ? [] : ['--records', '6000'])).json
    expect(plan).toMatchObject({ method: 'ireduct', affordable: true, guess: 'uniform', cost: { epsilon: 2 } })
    expect(plan.marginals.map(({ attributes }: { attributes: string[] }) => attributes.join())).toEqual([
      'sex,state',
      'sex,age',
      'state,age',
    ])
    expect(priced(plan.records, plan.marginals)).toBeCloseTo(2, 9)
    expect(await spent(place)).toBe(0)

    const out = release(place, ...wanted, '--out', 'tables', '--json')
    expect(out.status, out.stdout).toBe(0)
    const { json } = out
    expect(json).toMatchObject({ warnings: [], neighbours })
    // What is left would not pay for one more step of the grid, a millionth of the records, of the table with the most noise.
    const [worst, step] = [
      Math.max(...json.tables.map(({ scale }: { scale: number }) => scale)),
      json.records.count / 1e6,
    ]
    const price = ((isPublic ? 2 : 1) * step) / (worst * (worst - step))
    expect(2 - json.epsilon).toBeGreaterThanOrEqual(0)
    expect(2 - json.epsilon).toBeLessThan(price)
    expect(json.records.from).toBe(isPublic ? 'public' : 'bought')
    expect(priced(json.records, json.tables)).toBeCloseTo(json.epsilon, 9)
    if (isPublic) expect(json.total).toBe(6000)
    expect(await spent(place)).toBeCloseTo(json.epsilon, 9)
    expect(readdirSync(place.path('tables')).sort()).toEqual([
      'release.json',
      'report.html',
      'sex_by_age.csv',
      'sex_by_state.csv',
      'state_by_age.csv',
    ])

    const tables = ['sex_by_state', 'sex_by_age', 'state_by_age'].map((name) => table(place, `tables/${name}.csv`))
    const [bySexState, bySexAge, byStateAge] = tables
    expect(tables.map(({ length }) => length)).toEqual([10, 16, 40])
    // Counts have one total; combined ones agree in everything that two tables have in common.
    for (const rows of tables) expect(sum(rows, 'count')).toBe(json.total)
    for (const sex of sexes) {
      const of = (rows: readonly Record<string, string>[]) => rows.filter((row) => row.sex === sex)
      expect(sum(of(bySexState!), 'combined')).toBeCloseTo(sum(of(bySexAge!), 'combined'), 6)
    }
    expect(sum(bySexState!, 'combined')).toBeCloseTo(sum(byStateAge!, 'combined'), 6)
    // NULL is a cell of its own, and an empty field.
    expect(bySexState!.filter(({ state }) => state === '')).toHaveLength(2)

    // 66 cells with noise of these scales: beyond 20 scales once in 10^7 releases.
    for (const { sex, state, combined } of bySexState!) {
      const exact = rows.filter((row) => row.sex === sex && row.state === state).length
      expect(Math.abs(Number(combined) - exact)).toBeLessThan(20 * worst)
    }

    // What was released answers a question about a cell, with the number in the table.
    const sql = "SELECT COUNT(*) FROM people WHERE sex = 'Male' AND state = 'CA'"
    const answer = place.run('ask', sql, '--free', '--json').json
    expect(answer.kind).toBe('free')
    const cell = bySexState!.find(({ sex, state }) => sex === 'Male' && state === 'CA')!
    expect(answer.estimate).toBeCloseTo(Number(cell.combined), 6)
    expect(answer.interval[0]).toBeCloseTo(Number(cell.low), 2)
    expect(answer.interval[1]).toBeCloseTo(Number(cell.high), 2)

    expect(place.run('ledger', 'verify', '--receipt', json.receipt).status).toBe(0)
    // And a second plan knows what the first release told.
    expect(release(place, ...wanted, '--plan', '--json').json.guess).toBe('history')
  })
})

test('the scale is that of the noise in the measured values, also where they are made of several answers', async () => {
  const place = workspace('replace-one')
  const data = await open(place.path('reticent.yaml'))
  const scales = async (options: MarginalsOptions) =>
    (await data.releaseMarginals({ of: 'sex', ...options })).tables.map(({ measured }) => measured!)
  const [one] = await scales({ epsilon: 0.5, method: 'laplace' })
  expect(one).toMatchObject({ scale: 4, answers: [{ law: 'laplace', scale: 4 }] })
  const [two] = await scales({ epsilon: 1, method: 'two-phase', firstShare: 0.5 })
  // Two answers of scale 4 together have half the variance.
  expect(two!.answers).toEqual([
    { law: 'laplace', scale: 4 },
    { law: 'laplace', scale: 4 },
  ])
  expect(laplaceVariance(two!.scale)).toBeCloseTo(laplaceVariance(4) / 2, 9)
  const [all] = await scales({ free: true })
  expect(all!.answers).toHaveLength(3)
  expect(laplaceVariance(all!.scale)).toBeCloseTo(laplaceVariance(4) / 3, 9)
  // The errors to expect are simulated, and yet the same when they are asked for again.
  const free = () => data.releaseMarginals({ of: 'sex', free: true })
  expect(await free()).toEqual(await free())
  await data.close()
})

test('the number of records is not bought where nothing needs it', async () => {
  const data = await open(workspace().path('reticent.yaml'))
  const wanted = { ways: 1, epsilon: 1.5, method: 'laplace', floor: 30 } as const
  // At worst every cell counts as 30: noise of scale 2, whose mean size is 1/sinh(1/2).
  expect(await data.planMarginals(wanted)).toMatchObject({
    records: { count: null, from: 'tables' },
    expected: { measured: expect.closeTo(1 / Math.sinh(1 / 2) / 30, 9) },
    guess: 'worst',
  })
  expect((await data.planMarginals({ ...wanted, records: 6000 })).guess).toBe('uniform')
  await expect(data.planMarginals({ ...wanted, floor: '0.01n' })).rejects.toMatchObject({ code: 'usage' })
  const { records, total, tables } = await data.releaseMarginals(wanted)
  expect(records).toEqual({ count: total, from: 'tables' })
  expect(tables.map(({ measured }) => measured!.scale)).toEqual([2, 2, 2])
  expect((await data.history()).flatMap(({ measurements }) => measurements)).toHaveLength(3)
  await data.close()
})

test('a table that is public is not bought, and tells a plan nothing', async () => {
  const kind = policy('replace-one').replace('attributes:', 'attributes:\n  kind: { values: [x], closed: true }')
  const withKind = csv.split('\n').map((line, i) => `${i === 0 ? 'kind' : 'x'},${line}`)
  const place = new Workspace({ 'people.csv': withKind.join('\n'), 'reticent.yaml': kind }).withLedger()
  const data = await open(place.path('reticent.yaml'))
  for (const method of ['laplace', 'two-phase', 'ireduct', 'iresamp'] as const) {
    const wanted = { of: 'kind; sex', epsilon: 0.5, method }
    const plan = await data.planMarginals(wanted)
    expect(plan.marginals[0]).toEqual({ attributes: ['kind'], cells: 1, scale: 0, deviation: 0, epsilon: 0, error: 0 })
    if (method === 'laplace') expect(plan.guess).toBe('uniform')
    const { tables, cost } = await data.releaseMarginals(wanted)
    expect(tables[0]).toMatchObject({ measured: { scale: 0, epsilon: 0 }, expected: { counts: 0, measured: 0 } })
    expect([...tables[0]!.counts, ...tables[0]!.measured!.values]).toEqual([6000, 6000])
    expect(cost.epsilon).toBeCloseTo(tables[1]!.measured!.epsilon, 9)
    if (method === 'laplace') expect(tables[1]!.measured!.scale).toBe(4)
  }
  expect(await data.planMarginals({ of: 'kind', epsilon: 0.5 })).toMatchObject({ cost: { epsilon: 0 } })
  expect(await data.releaseMarginals({ of: 'kind', epsilon: 0.5 })).toMatchObject({ cost: { epsilon: 0 }, total: 6000 })
  await data.close()
})

test('a plan guesses from the history what that tells, and the rest as if it were even', async () => {
  const data = await open(workspace().path('reticent.yaml'))
  await data.releaseMarginals({ of: 'sex,state', epsilon: 2, method: 'laplace', floor: 30 })
  await data.ask("SELECT age, COUNT(*) FROM people WHERE sex = 'Male' GROUP BY age", { epsilon: 1 })
  const guess = async (of: string) => (await data.planMarginals({ of, epsilon: 1 })).guess
  expect(await guess('state,sex; state')).toBe('history')
  expect(await guess('state; age')).toBe('both')
  expect(await guess('sex,age; sex,age,state')).toBe('uniform')
  await data.close()
})

test('a plan warns of tables that would be mostly noise', async () => {
  const data = await open(workspace('replace-one').path('reticent.yaml'))
  const plan = (epsilon: number) => data.planMarginals({ ways: 2, epsilon, method: 'laplace' })
  expect((await plan(0.005)).warnings.join()).toContain('would be mostly noise')
  expect((await plan(1)).warnings).toEqual([])
  await data.close()
})

test('tables that are mostly noise come with a warning', () => {
  const place = workspace()
  // Noise of scale 200 in cells of 75 on average, judged as if they had 30 at least. (What is made of it may be better.)
  const { json } = release(
    place,
    '--ways',
    '3',
    '--epsilon',
    '0.005',
    '--method',
    'laplace',
    '--raw',
    '--floor',
    '30',
    '--out',
    'tables',
    '--json',
  )
  expect(json.warnings.join()).toContain('mostly noise')
  expect(readFileSync(place.path('tables/report.html'), 'utf8')).toContain('class="warning"')
})

test('what cannot work is refused before anything is spent', async () => {
  const place = workspace()
  mkdirSync(place.path('there'))
  const all = ['--ways', '1', '--epsilon', '0.1']
  // What options may be is tested beside their reader; here what only the whole command can tell.
  const wrong: [string[], number, string][] = [
    [['--of', 'sex,aeg', '--epsilon', '1', '--out', 'x'], 1, 'did you mean age'],
    [['--ways', 'two', '--epsilon', '1', '--out', 'x'], 2, 'whole number'],
    [[...all, '--out', 'there'], 2, 'exists already'],
    [[...all, '--out', 'people.csv/x'], 2, 'cannot write'],
    [all, 2, '--out'],
    [[...all, '--format', 'xls', '--out', 'x'], 2, 'csv or parquet'],
    [['--ways', '1', '--epsilon', '6', '--out', 'x'], 1, 'but only 5 is left'],
    [['--ways', '1', '--free', '--out', 'x'], 1, 'do not determine'],
    [[...all, '--plan'], 2, '--records'],
    [[...all, '--records', '7', '--out', 'x'], 2, '--plan'],
    [[...all, '--as', 'alice', '--out', 'x'], 1, 'no analyst'],
  ]
  for (const [args, status, words] of wrong) {
    const out = await place.here('release', 'marginals', ...args)
    expect([args, out.status, out.stderr]).toEqual([args, status, expect.stringContaining(words)])
  }
  expect(await spent(place)).toBe(0)
  // Nothing is left lying about either.
  expect(readdirSync(place.dir).filter((name) => name.includes('x.') || name === 'x')).toEqual([])
})

test('an ε that cannot even start is refused, and said by how much', async () => {
  const place = workspace('replace-one')
  const out = release(place, '--ways', '1', '--epsilon', '0.005', '--out', 'tables')
  // Three marginals at scale n/10 = 600 cost 2/600 each.
  expect([out.status, out.stderr]).toEqual([1, expect.stringContaining('ε = 0.01, and there is 0.005')])
  expect(await spent(place)).toBe(0)
})
