import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { csv, policy, release, spent, table, workspace } from './marginals-release.ts'
import { Workspace } from './workspace.ts'

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

describe('when it breaks off', () => {
  test('a process that is killed in mid-release leaves a ledger that verifies and says what was spent', async () => {
    const place = workspace('replace-one')
    const script = `
      import { open } from ${JSON.stringify(resolve('dist/index.js'))}
      const data = await open('reticent.yaml')
      await data.releaseMarginals({ ways: 2, epsilon: 1.5, progress: () => process.kill(process.pid, 'SIGKILL') })`
    const { signal } = place.script(script)
    expect(signal).toBe('SIGKILL')
    expect(place.run('ledger', 'verify').status).toBe(0)
    expect(await spent(place)).toBe(1.5)
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
    expect(await spent(place)).toBeCloseTo(1, 3)
    const { json } = release(place, '--ways', '2', '--free', '--out', 'tables', '--json')
    expect(json).toMatchObject({ epsilon: 0, method: null, records: { from: 'history' } })
    expect(table(place, 'tables/sex_by_age.csv')).toHaveLength(16)
    expect(json.tables.every(({ scale }: { scale?: number }) => scale! > 0)).toBe(true)
    expect(await spent(place)).toBeCloseTo(1, 3)
  })
})
