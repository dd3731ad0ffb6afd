import { existsSync, readdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { type Outcome, Workspace } from './workspace.ts'

/** 6000 people in three attributes of 2, 5 and 8 values. */
const csv = ['sex,state,age', ...Array.from({ length: 6000 }, (_, i) => `${i % 2},${(i * i) % 5},${i % 8}`)].join('\n')
const domain = (name: string, last: number) => `\n  ${name}: { integer: [0, ${last}], closed: true }`
const people = domain('sex', 1) + domain('state', 4) + domain('age', 7)
const policy = (neighbours: string, more = '', attributes = people) => `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: ${neighbours}, epsilon: 5${more} }
attributes: ${attributes}
ledger: { sqlite: people.ledger }
`
const workspace = (neighbours: string, more = '') =>
  new Workspace({ 'people.csv': csv, 'reticent.yaml': policy(neighbours, more) }).withLedger()
const release = (place: Workspace, ...args: string[]): Promise<Outcome> => place.here('release', 'marginals', ...args)

describe('with δ', () => {
  const delta = ', delta: 1e-6'
  const count = 'SELECT COUNT(*) FROM people'
  const hinted = (text: string) => /--epsilon (\S+) or less/.exec(text)![1]!
  const more = (epsilon: number) => (epsilon + 2e-9).toFixed(12)
  /** Six digits of what is left, never more. */
  const tells = (told: string, left: number) => Number(told) <= left && Number(told) >= 0.99999 * left

  test.each(['ireduct', 'laplace', 'iresamp'])('after a question %s has what ρ leaves it', async (method) => {
    const place = workspace('add-remove', delta)
    place.run('ask', count, '--epsilon', '0.1')
    const { left, leftForLaplace } = place.run('budget', '--json').json
    const wanted = ['--ways', '2', '--method', method]
    const refused = await release(place, ...wanted, '--epsilon', '2', '--out', 'tables')
    const most = hinted(refused.stderr)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`but only ${most} is left for ${method}`),
    ])
    expect(tells(most, leftForLaplace.epsilon)).toBe(true)
    expect(leftForLaplace.epsilon).toBeCloseTo(Math.sqrt(2 * left.rho), 8)
    expect(left.epsilon).toBeGreaterThan(2)
    const plan = (await release(place, ...wanted, '--epsilon', '2', '--plan', '--json')).json
    expect(plan).toMatchObject({ affordable: false, left: { epsilon: leftForLaplace.epsilon } })
    expect(plan.warnings[0]).toContain('gaussian has noise of standard deviation')
    expect((await release(place, ...wanted, '--epsilon', more(leftForLaplace.epsilon), '--out', 'tables')).status).toBe(
      1,
    )
    const all = String(leftForLaplace.epsilon)
    const { json } = await release(place, ...wanted, '--epsilon', all, '--out', 'tables', '--json')
    // A run that lowers noise keeps all that it held in ρ, and says so; others cost what their answers do.
    expect(json.cost.rho).toBeCloseTo(json.raised.rho, 12)
    if (method === 'ireduct') expect(json.left.epsilon).toBeLessThan(0.0001)
    expect(place.run('ledger', 'verify').status).toBe(0)
  })

  test('where tables with Laplace noise have spent all of ρ, plain ε is left for such tables, and said to be', async () => {
    const place = workspace('replace-one', delta)
    const all = ['--ways', '1', '--method', 'ireduct', '--epsilon']
    expect((await release(place, ...all, '2', '--out', 'first', '--json')).json.left.epsilon).toBeCloseTo(3, 3)
    expect((await release(place, ...all, '2', '--plan')).stdout).toMatch(/allows it \(left for ireduct: 3[^)]*\)/)
    const { stdout } = place.run('budget')
    expect(stdout).toContain('left  left for Laplace noise')
    // The last step of a run may not quite fit: up to ε = 0.001 of 2 is not spent.
    expect(stdout).toMatch(/people +(2|1\.999\d*) +0 +3(\.000\d*)? +5/)
    const refused = place.run('ask', `${count} WHERE age > 2`, '--epsilon', '0.1')
    expect(refused.stderr).toContain('but only 0 is left')
    const most = hinted(refused.stderr)
    expect(hinted(place.run('release', 'tree', '--of', 'age', '--epsilon', '0.1').stderr)).toBe(most)
    const { leftForLaplace } = place.run('budget', '--json').json
    expect(tells(most, leftForLaplace.epsilon)).toBe(true)
    expect((await release(place, ...all, more(leftForLaplace.epsilon), '--out', 'second')).status).toBe(1)
    const rest = String(leftForLaplace.epsilon)
    expect((await release(place, ...all, rest, '--out', 'second')).stderr).toContain('left for ireduct 0')
  })
})

test('plans and free tables do without the data', async () => {
  const place = workspace('replace-one')
  rmSync(place.path('people.csv'))
  const data = await open(place.path('reticent.yaml'))
  // The number of records is public, but nobody has read it yet.
  expect(await data.planMarginals({ ways: 2, epsilon: 1, records: 6000 })).toMatchObject({
    records: { count: 6000, from: 'public' },
  })
  place.write('people.csv', csv)
  await data.releaseMarginals({ ways: 2, epsilon: 1 })
  await data.close()
  rmSync(place.path('people.csv'))
  const again = await open(place.path('reticent.yaml'))
  expect(await again.releaseMarginals({ ways: 1, free: true })).toMatchObject({ epsilon: 0, total: 6000 })
  expect((await again.planMarginals({ ways: 2, epsilon: 1 })).guess).toBe('history')
  await again.close()
})

test('a release that was killed has a line in the history: what it began, and the ε that it holds', async () => {
  const place = workspace('replace-one', ', analysts: { alice: 4 }')
  const script = `
    import { open } from ${JSON.stringify(resolve('dist/index.js'))}
    const data = await open('reticent.yaml')
    await data.releaseMarginals({ ways: 2, epsilon: 1.5, as: 'alice', progress: () => process.kill(process.pid, 'SIGKILL') })`
  const { signal } = place.script(script)
  expect(signal).toBe('SIGKILL')
  // Three tables of 10, 16 and 40 cells.
  const begun = { marginals: 3, cells: 66, epsilon: 1.5 }
  expect(place.run('history', '--json').json.releases.at(-1)).toMatchObject({
    state: 'open',
    analyst: 'alice',
    at: expect.any(String),
    measurements: [],
    begun,
  })
  const { stdout } = place.run('history')
  expect(stdout).toMatch(/alice +open: 3 queries, 66 cells +1\.5 +–/)
  expect(stdout).toContain('of an interrupted release stays spent')
  expect(place.run('budget', '--json').json.spent.epsilon).toBe(1.5)
  const data = await open(place.path('reticent.yaml'))
  await data.releaseMarginals({ ways: 1, epsilon: 1, as: 'alice' })
  expect((await data.history()).at(-1)).not.toHaveProperty('begun')
  await data.close()
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while tables are written leaves no folder, and they are in the history',
  async (signal) => {
    // Three tables of 90,000 cells: long enough to write.
    const names = ['x', 'y', 'z']
    const wide = names.map((name) => domain(name, 299)).join('')
    const place = new Workspace({
      'people.csv': [names.join(), ...Array(100).fill('0,0,0')].join('\n'),
      'reticent.yaml': policy('replace-one', '', wide),
    }).withLedger()
    const args = ['release', 'marginals', '--ways', '2', '--method', 'laplace', '--epsilon', '1', '--out', 'tables']
    const child = place.spawn(args)
    let stderr = ''
    child.stderr!.on('data', (data) => {
      stderr += data
    })
    const closed = new Promise((done) => child.on('close', done))
    while (!existsSync(place.path('.tables.unfinished/x_by_y.csv'))) await new Promise((done) => setTimeout(done, 2))
    child.kill(signal)
    expect([await closed, stderr]).toEqual([
      { SIGINT: 130, SIGTERM: 143 }[signal],
      expect.stringContaining('--ways 2 --free --out DIR'),
    ])
    expect(readdirSync(place.dir).filter((name) => name.includes('tables'))).toEqual([])
  },
)
