import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open, type SynthOptions } from '../../src/index.ts'
import { Workspace } from './workspace.ts'

/** Four yes-or-no attributes: b is mostly what a is, c what a and b together are, d goes by itself. */
const rows = Array.from({ length: 1200 }, (_, i) => {
  const a = i % 3 === 0
  const b = i % 10 === 0 ? !a : a
  return [a, b, a === b && i % 7 !== 0, i % 2 === 0].map((each) => (each ? 'y' : 'n')).join()
})
const policy = (privacy: string, more = '') => `dataset: votes
source: { duckdb: votes.csv }
privacy: { unit: row, ${privacy} }
attributes:
${['a', 'b', 'c', 'd'].map((name) => `  ${name}: { values: [n, y], closed: true }`).join('\n')}
ledger: { sqlite: votes.ledger }
${more}`
const workspace = (privacy = 'neighbours: add-remove, epsilon: 20', more = '') =>
  new Workspace({ 'votes.csv': ['a,b,c,d', ...rows].join('\n'), 'reticent.yaml': policy(privacy, more) }).withLedger()
const spent = async (place: Workspace): Promise<number> => (await place.here('budget', '--json')).json.spent.epsilon
const both = "SELECT COUNT(*) FROM votes WHERE a = 'y' AND b = 'y'"

/** How many rows have both: independent attributes would have far fewer than the 360 that there are. */
const told = async (place: Workspace): Promise<number> =>
  (await place.here('ask', both, '--model', 'made.model.json', '--json')).json.estimate

describe.each(['pairs', 'mwem', 'factored'])('%s', (method) => {
  test.each([
    ['ε', 'neighbours: add-remove, epsilon: 20'],
    ['δ, and a public number of records,', 'neighbours: replace-one, epsilon: 20, delta: 1.0e-6'],
  ])('with %s finds what goes together, within its price', async (_, privacy) => {
    const place = workspace(privacy)
    const { status, json, stdout } = place.run(
      'synth',
      '--method',
      method,
      '--epsilon',
      '5',
      '--rows',
      '900',
      '--out',
      'made.csv',
      '--json',
    )
    expect(status, stdout).toBe(0)
    expect(json).toMatchObject({ method, rows: 900 })
    expect(json.cost.epsilon).toBeLessThanOrEqual(5)
    expect(await spent(place)).toBeLessThanOrEqual(5)
    // Of 1,200 records 360 have both; independent attributes would have 125. Noise of six pairs at ε = 5 is far below 80.
    expect(Math.abs((await told(place)) - 360)).toBeLessThan(80)
    const lines = readFileSync(place.path('made.csv'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(901)
    expect(Math.abs(lines.filter((line) => line.startsWith('y,y')).length - 0.3 * 900)).toBeLessThan(60)
    expect(json.measured.length).toBeGreaterThan(0)
    expect(place.run('ledger', 'verify').status).toBe(0)
  })
})

describe('a workload of one’s own', () => {
  test.each(['2-way', '3-way', 'ranges:20', 'parities:2'])('%s', async (queries) => {
    const place = workspace()
    const wanted = ['synth', '--method', 'factored', '--queries', queries, '--rounds', '3', '--epsilon', '4']
    const plan = (await place.here(...wanted, '--plan', '--json')).json
    expect(plan.steps.filter(({ name }: { name: string }) => name.startsWith('round'))).toHaveLength(3)
    const { status, json, stdout } = await place.here(...wanted, '--out', 'made.csv', '--json')
    expect(status, stdout).toBe(0)
    // The number of records, and an answer a round.
    expect(json.measured).toHaveLength(4)
    expect(json.parameters).toMatchObject({ queries, rounds: '3' })
  })

  test('statements in a file', async () => {
    const place = workspace()
    place.write('wanted.sql', `-- what matters\n${both};\nSELECT COUNT(*) FROM votes WHERE e = 'y';`)
    place.write('counts.sql', `${both};\nSELECT c, d, COUNT(*) FROM votes GROUP BY c, d; -- and no more`)
    place.write('empty.sql', '-- nothing;')
    const wanted = ['synth', '--method', 'mwem', '--rounds', '2', '--epsilon', '4', '--out', 'made.csv']
    expect((await place.here(...wanted, '--queries', 'wanted.sql')).stderr).toContain('statement 2: there is no')
    expect((await place.here(...wanted, '--queries', 'empty.sql')).stderr).toContain('no statements')
    expect((await place.here(...wanted, '--queries', 'missing.sql')).stderr).toContain('cannot be read')
    expect((await place.here(...wanted, '--queries', '2-ways')).stderr).toContain('is no workload')
    expect((await place.here(...wanted, '--queries', '9-way')).stderr).toContain('from 1 to 4')
    expect(
      (await place.here('synth', '--method', 'mwem', '--rounds', '0', '--epsilon', '1', '--plan')).stderr,
    ).toContain('from 1 to')
    expect(await spent(place)).toBe(0)
    const { json } = await place.here(...wanted, '--queries', 'counts.sql', '--json')
    expect(json.measured).toHaveLength(3)
    expect(Math.abs((await told(place)) - 360)).toBeLessThan(120)
  })

  test('says which pairs are measured', async () => {
    const place = workspace()
    place.write('wanted.sql', `${both}; SELECT c, d, COUNT(*) FROM votes GROUP BY c, d`)
    const wanted = ['synth', '--method', 'pairs', '--epsilon', '4']
    const steps = async (...more: string[]) =>
      (await place.here(...wanted, ...more, '--plan', '--json')).json.steps.map(({ count }: { count: number }) => count)
    expect(await steps()).toEqual(await steps('--queries', '2-way'))
    expect((await steps('--queries', 'wanted.sql')).at(-1)).toBe(2)
    const { status, json, stdout } = await place.here(
      ...wanted,
      '--queries',
      'wanted.sql',
      '--out',
      'made.csv',
      '--json',
    )
    expect(status, stdout).toBe(0)
    // The number of records, four attributes and two pairs.
    expect(json.measured).toHaveLength(7)
    expect(Math.abs((await told(place)) - 360)).toBeLessThan(80)
  })

  test('as many rounds as it takes', async () => {
    const place = workspace()
    const { status, json, stdout } = await place.here(
      'synth',
      '--method',
      'factored',
      '--rounds',
      'adaptive',
      '--epsilon',
      '4',
      '--out',
      'made.csv',
      '--json',
    )
    expect(status, stdout).toBe(0)
    expect(json.cost.epsilon).toBeLessThanOrEqual(4)
  })
})

describe('how a method goes about it', () => {
  const making = (place: Workspace, ...more: string[]) =>
    place.here('synth', '--epsilon', '4', '--out', 'made.csv', '--json', ...more)

  test('fitting once and the average of all rounds, as the theorem has it, from counts that cost a fifth', async () => {
    const place = workspace()
    const said = ['--rounds', '3', '--start-share', '0.2', '--fitting', 'once', '--output', 'average']
    const plan = (await place.here('synth', '--epsilon', '4', ...said, '--plan', '--json')).json
    expect(plan.steps.map(({ name }: { name: string }) => name.split(':')[0])).toEqual([
      'number of records',
      'counts of all cells',
      ...['round 1', 'round 2', 'round 3'],
    ])
    expect(plan.steps[1].share).toBeCloseTo(0.2 * 0.98, 9)
    const { status, json, stdout } = await making(place, ...said)
    expect(status, stdout).toBe(0)
    expect(json).toMatchObject({ method: 'mwem', parameters: { rounds: '3', fitting: 'once', output: 'average' } })
    expect(json.cost.epsilon).toBeLessThanOrEqual(4)
  })

  test('the average is another model than the last', async () => {
    // Nearly exact answers: the last of many rounds is at 360, while their average began at 300.
    const estimate = async (output: string) => {
      const place = workspace('neighbours: add-remove, epsilon: 1000')
      const rounds = ['--epsilon', '900', '--rounds', '3', '--fitting', 'replay']
      await place.here('synth', ...rounds, '--output', output, '--out', 'made.csv')
      return told(place)
    }
    expect(Math.abs((await estimate('last')) - 360)).toBeLessThan(5)
    expect(Math.abs((await estimate('average')) - 360)).toBeGreaterThan(10)
  })

  test.each(['pairs', 'mwem', 'factored', 'independent'])('%s: records that are drawn one by one', async (method) => {
    const place = workspace()
    const { status, json, stdout } = await making(
      place,
      '--method',
      method,
      '--rows',
      '2000',
      '--sampling',
      'independent',
    )
    expect(status, stdout).toBe(0)
    expect(json.parameters).toMatchObject({ sampling: 'independent' })
    const lines = readFileSync(place.path('made.csv'), 'utf8').trimEnd().split('\n').slice(1)
    // A third has a; binomial, sd 21, and the noise of a few records at ε = 4.
    expect(Math.abs(lines.filter((line) => line.startsWith('y')).length - 667)).toBeLessThan(130)
  })

  test('what does not fit is refused before anything is spent', async () => {
    const place = workspace()
    for (const [said, words] of [
      [['--fitting', 'twice'], 'there is no fitting "twice"'],
      [['--output', 'first'], 'there is no output "first"'],
      [['--sampling', 'random'], 'There are rounded, independent'],
      [['--start-share', '1.5'], 'from 0 to 1'],
      [['--start-share', 'x'], 'from 0 to 1'],
      [['--method', 'pairs', '--fitting', 'once'], 'the method pairs takes no fitting'],
      [['--method', 'factored', '--output', 'average'], 'the method factored takes no output'],
      [['--method', 'factored', '--start-share', '0.5'], 'takes no start share'],
      [['--method', 'factored', '--fitting', 'smooth'], 'once or by replay'],
    ] as const)
      expect((await place.here('synth', '--epsilon', '4', '--out', 'made.csv', ...said)).stderr).toContain(words)
    expect(await spent(place)).toBe(0)
  })
})

describe('when a run breaks off', () => {
  const options = { method: 'factored', rounds: 5, epsilon: 4 } as const satisfies SynthOptions
  test('a process that is killed has spent what the run held, and the ledger verifies', async () => {
    const place = workspace()
    const script = `
      import { open } from ${JSON.stringify(resolve('dist/index.js'))}
      const data = await open('reticent.yaml')
      const progress = ({ doing }) => doing.startsWith('round 3') && process.kill(process.pid, 'SIGKILL')
      await data.synthesize({ ...${JSON.stringify(options)}, progress })`
    const { signal, stderr } = place.script(script)
    expect(signal, stderr).toBe('SIGKILL')
    expect(place.run('ledger', 'verify').status).toBe(0)
    expect(await spent(place)).toBeCloseTo(4, 9)
    expect(place.run('history', '--json').json.releases.at(-1)).toMatchObject({ state: 'open' })
    expect(
      place.run('synth', '--method', 'factored', '--rounds', '2', '--epsilon', '4', '--out', 'made.csv').status,
    ).toBe(0)
  })

  test('one that is told to stop records and pays for what it has shown', async () => {
    const place = workspace()
    const data = await open(place.path('reticent.yaml'))
    const stop = new AbortController()
    const progress = ({ doing }: { doing: string }) => doing.startsWith('round 3') && stop.abort()
    await expect(data.synthesize({ ...options, progress, signal: stop.signal })).rejects.toMatchObject({
      code: 'interrupted',
    })
    const history = await data.history()
    await data.close()
    expect(history.at(-1)!.state).toBe('recorded')
    const { measurements, choices } = history.at(-1)!
    expect([2, 3]).toContain(measurements.length)
    expect(choices!.count).toBe(measurements.length)
    expect(await spent(place)).toBeLessThan(3)
  })
})

test('what chooses by the data is refused under a guard, and pairs do without scores', async () => {
  const guard = `guards:
  - { query: "SELECT COUNT(*) FROM votes WHERE d = 'y'", within: 0.2, confidence: 0.9 }
`
  const place = workspace('neighbours: add-remove, epsilon: 20', guard)
  for (const method of ['mwem', 'factored']) {
    const { status, stderr } = await place.here('synth', '--method', method, '--epsilon', '1', '--out', 'made.csv')
    expect([status, stderr]).toEqual([1, expect.stringContaining('guard')])
  }
  expect(await spent(place)).toBe(0)
  expect(readdirSync(place.dir).filter((name) => name.includes('made'))).toEqual([])
  const { status, stderr } = await place.here('synth', '--method', 'pairs', '--epsilon', '1', '--out', 'made.csv')
  expect(status, stderr).toBe(0)
})
