import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MarginalsOptions, open } from '../../src/index.ts'
import { laplaceVariance } from '../../src/numeric/index.ts'
import { type Outcome, Workspace } from './workspace.ts'

const sexes = ['Female', 'Male']
const states = ['CA', 'TX', 'NY', '=A1, <b>']
/** Who lives where, and how old: invented, with something to tell in every pair. */
const rows = Array.from({ length: 6000 }, (_, i) => {
  const [sex, state] = [sexes[i % 3 === 0 ? 0 : 1]!, states[Math.floor(Math.sqrt(i % 16))]!]
  return { sex, state, age: 10 + ((i * 7) % (state === 'CA' ? 5 : 8)) }
})
const csv = ['sex,state,age', ...rows.map(({ sex, state, age }) => `${sex},"${state}",${age}`)].join('\n')
const policy = (neighbours: string, more = '') => `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: ${neighbours}, epsilon: 5${more} }
attributes:
  sex:   { values: [Female, Male], closed: true }
  state: { values: [CA, TX, NY, "=A1, <b>"] }
  age:   { integer: [10, 17], closed: true }
ledger: { sqlite: people.ledger }
`
const workspace = (neighbours = 'add-remove', more = '') =>
  new Workspace({ 'people.csv': csv, 'reticent.yaml': policy(neighbours, more) }).withLedger()

/** The numbers of a table that was written, by label. */
function table(place: Workspace, name: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(place.path(name), 'utf8').trimEnd().split('\n')
  const fields = (line: string) =>
    Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, inside, plain]) => inside ?? plain!)
  const names = fields(header!)
  return lines.map((line) => Object.fromEntries(fields(line).map((value, i) => [names[i]!, value])))
}
const sum = (list: readonly Record<string, string>[], column: string) =>
  list.reduce((total, row) => total + Number(row[column]), 0)
const release = (place: Workspace, ...args: string[]): Outcome => place.run('release', 'marginals', ...args)
/** What the parts of a release cost together. */
const priced = (records: { epsilon?: number }, tables: readonly { epsilon: number }[]): number =>
  tables.reduce((total, { epsilon }) => total + epsilon, records.epsilon ?? 0)
const spent = (place: Workspace): number => place.run('budget', '--json').json.spent.epsilon

describe.each(['add-remove', 'replace-one'])('with %s neighbours', (neighbours) => {
  test('a release is planned, bought, written, and answers later questions', () => {
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
    expect(spent(place)).toBe(0)

    const out = release(place, ...wanted, '--out', 'tables', '--json')
    expect(out.status, out.stdout).toBe(0)
    const { json } = out
    expect(json).toMatchObject({ epsilon: expect.closeTo(2, 3), warnings: [], neighbours })
    expect(json.records.from).toBe(isPublic ? 'public' : 'bought')
    expect(priced(json.records, json.tables)).toBeCloseTo(json.epsilon, 9)
    if (isPublic) expect(json.total).toBe(6000)
    expect(spent(place)).toBeCloseTo(2, 3)
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
    const worst = Math.max(...json.tables.map(({ scale }: { scale: number }) => scale))
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

test.each(['laplace', 'two-phase', 'iresamp'])('the method %s, one-way, as Parquet', (method) => {
  const place = workspace()
  const { json } = release(
    place,
    '--ways',
    '1',
    '--epsilon',
    '1',
    '--method',
    method,
    '--format',
    'parquet',
    '--out',
    'tables',
    '--json',
  )
  expect(json).toMatchObject({
    method,
    tables: [{ file: 'sex.parquet' }, { file: 'state.parquet' }, { file: 'age.parquet' }],
  })
  expect(json.epsilon).toBeLessThanOrEqual(1)
  // iResamp halves scales: what is left of ε may be too little for another half.
  expect(json.epsilon).toBeGreaterThan(method === 'iresamp' ? 0.5 : 0.999)
  const shares = json.tables.reduce((total: number, { epsilon }: { epsilon: number }) => total + epsilon, 0)
  expect(shares).toBeLessThanOrEqual(json.epsilon - 0.019) // the number of records had its fiftieth
  expect(existsSync(place.path('tables/age.parquet'))).toBe(true)
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

test('a plan says that a guard may stop it, and a release which tables it held back', async () => {
  const guarded = `${policy('replace-one')}guards:
  - { query: "SELECT COUNT(*) FROM people WHERE sex = 'Female' AND age = 10", within: 20, confidence: 0.9 }
`
  const place = new Workspace({ 'people.csv': csv, 'reticent.yaml': guarded }).withLedger()
  const data = await open(place.path('reticent.yaml'))
  // No cell of sex × age reaches the floor, whatever the noise: so it is lowered first, and far enough.
  const wanted = { of: 'sex,age; state', epsilon: 2, floor: 1000 }
  expect((await data.planMarginals(wanted)).warnings.join()).toContain('guard')
  expect((await data.planMarginals({ ...wanted, epsilon: 0.1 })).warnings).toEqual([])
  // All or nothing: refused in advance as the release would be.
  await expect(data.planMarginals({ ...wanted, method: 'laplace' })).rejects.toMatchObject({ code: 'guarded' })
  await data.close()
  const out = release(place, '--of', wanted.of, '--epsilon', '2', '--floor', '1000', '--out', 'tables')
  expect(out.stdout).toMatch(/warning: A guard of the policy held back sex × age/)
  const json = JSON.parse(readFileSync(place.path('tables/release.json'), 'utf8'))
  expect(json.tables[0]).toMatchObject({ attributes: ['sex', 'age'], heldBack: true })
  expect(json.tables[1]).not.toHaveProperty('heldBack')
  expect(json.warnings.join()).toContain('held back sex × age')
})

test.each(['add-remove', 'replace-one'] as const)(
  'what a guard refuses as a whole is refused before anything is paid for: %s',
  async (neighbours) => {
    const guard = `{ query: "SELECT COUNT(*) FROM people WHERE sex = 'Female'", within: 20, confidence: 0.9 }`
    const text = `${policy(neighbours)}guards:\n  - ${guard}\n`
    const data = await open(
      new Workspace({ 'people.csv': csv, 'reticent.yaml': text }).withLedger().path('reticent.yaml'),
    )
    for (const more of [{ method: 'laplace' }, { method: 'two-phase', firstShare: 0.5 }] as const)
      await expect(data.releaseMarginals({ ways: 1, epsilon: 2, ...more })).rejects.toMatchObject({ code: 'guarded' })
    expect((await data.budget()).spent.epsilon).toBe(0)
    await data.releaseMarginals({ of: 'state', epsilon: 2, method: 'laplace' })
    await data.close()
  },
)

test('what was paid for before a release failed is not forgotten: a ledger that is put back is noticed', async () => {
  const place = workspace('add-remove')
  copyFileSync(place.path('people.ledger'), place.path('backup'))
  const data = await open(place.path('reticent.yaml'))
  const progress = () => {
    throw new Error('stopped')
  }
  await expect(data.releaseMarginals({ ways: 2, epsilon: 1, progress })).rejects.toMatchObject({
    code: 'failed-after-charge',
  })
  expect((await data.budget()).spent.epsilon).toBeGreaterThan(0)
  await data.close()
  copyFileSync(place.path('backup'), place.path('people.ledger'))
  expect(place.run('budget', '--json').json.error.code).toBe('ledger-rolled-back')
})

test('raw values alone, for people to read; with δ, and an analyst', () => {
  const place = workspace('add-remove', ', delta: 1e-6, analysts: { alice: 3 }')
  const out = release(place, '--of', 'age; state,sex', '--epsilon', '1', '--raw', '--out', 'tables', '--as', 'alice')
  expect(out.status, out.stderr).toBe(0)
  expect(Object.keys(table(place, 'tables/age.csv')[0]!)).toEqual(['age', 'measured', 'scale', 'low', 'high'])
  expect(out.stdout).toContain('state × sex')
  expect(out.stdout).toContain('by bootstrap from the released values')
  expect(out.stderr).toContain('report.html')
  expect(out.stderr).not.toContain('█') // a bar is for terminals
  expect(readFileSync(place.path('tables/report.html'), 'utf8')).not.toContain('A1, <b>')
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

test('what cannot work is refused before anything is spent', () => {
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
    [['--ways', '1', '--epsilon', '6', '--out', 'x'], 1, 'and 5 is left'],
    [['--ways', '1', '--free', '--out', 'x'], 1, 'do not determine'],
    [[...all, '--plan'], 2, '--records'],
    [[...all, '--records', '7', '--out', 'x'], 2, '--plan'],
    [[...all, '--as', 'alice', '--out', 'x'], 1, 'no analyst'],
  ]
  for (const [args, status, words] of wrong) {
    const out = release(place, ...args)
    expect([args, out.status, out.stderr]).toEqual([args, status, expect.stringContaining(words)])
  }
  expect(spent(place)).toBe(0)
  // Nothing is left lying about either.
  expect(readdirSync(place.dir).filter((name) => name.includes('x.') || name === 'x')).toEqual([])
})

test('an ε that cannot even start is refused, and said by how much', () => {
  const place = workspace('replace-one')
  const out = release(place, '--ways', '1', '--epsilon', '0.005', '--out', 'tables')
  // Three marginals at scale n/10 = 600 cost 2/600 each.
  expect([out.status, out.stderr]).toEqual([1, expect.stringContaining('ε = 0.01, and there is 0.005')])
  expect(spent(place)).toBe(0)
})

describe('when it breaks off', () => {
  test('a process that is killed in mid-release leaves a ledger that verifies and says what was spent', async () => {
    const place = workspace('replace-one')
    const script = `
      import { open } from ${JSON.stringify(resolve('dist/index.js'))}
      const data = await open('reticent.yaml')
      await data.releaseMarginals({ ways: 2, epsilon: 1.5, progress: () => process.kill(process.pid, 'SIGKILL') })`
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: place.dir })
    expect(signal).toBe('SIGKILL')
    expect(place.run('ledger', 'verify').status).toBe(0)
    expect(spent(place)).toBe(1.5)
    const { releases } = place.run('history', '--json').json
    expect(releases.at(-1)).toMatchObject({ state: 'open' })
    // Nothing of it is known, and what is left can still be spent.
    const data = await open(place.path('reticent.yaml'))
    await expect(data.releaseMarginals({ ways: 2, free: true })).rejects.toMatchObject({ code: 'not-estimable' })
    await data.releaseMarginals({ ways: 1, epsilon: 3.5 })
    await data.close()
  })

  test('tables that were paid for and could not be written are written again for free', async () => {
    const place = workspace()
    const started = place.start('release', 'marginals', '--ways', '2', '--epsilon', '1', '--out', 'tables')
    const draft = () => readdirSync(place.dir).find((name) => name.startsWith('.tables.'))
    while (!draft()) await new Promise((done) => setTimeout(done, 5))
    rmSync(place.path(draft()!), { recursive: true })
    const { status, stderr } = await started
    expect([status, stderr]).toEqual([1, expect.stringContaining('release marginals --ways 2 --free --out DIR')])
    expect(stderr).toMatch(/ε = \S+ is spent, and the tables are in the history; receipt \d+:/)
    expect(spent(place)).toBeCloseTo(1, 3)
    const { json } = release(place, '--ways', '2', '--free', '--out', 'tables', '--json')
    expect(json).toMatchObject({ epsilon: 0, method: null, records: { from: 'history' } })
    expect(table(place, 'tables/sex_by_age.csv')).toHaveLength(16)
    expect(json.tables.every(({ scale }: { scale?: number }) => scale! > 0)).toBe(true)
    expect(spent(place)).toBeCloseTo(1, 3)
  })
})
