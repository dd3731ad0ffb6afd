import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFormat } from './synth-formats.ts'
import { policy, spent, synthFiles, workspace } from './synth-workspace.ts'
import { Workspace } from './workspace.ts'

test.each(['csv', 'duckdb'])('in %s a table has the columns, values and types of the private one', checkFormat)

test('a synthetic table can stand in for the private one under the same policy', () => {
  const place = workspace()
  expect(place.run('synth', '--method', 'independent', '--epsilon', '3', '--out', 'made.csv').status).toBe(0)
  const copy = new Workspace({
    'people.csv': readFileSync(place.path('made.csv'), 'utf8'),
    'reticent.yaml': policy(),
  })
  const { json } = copy.run('check', '--json')
  expect(json.error).toBeUndefined()
  const sql = 'SELECT COUNT(*) FROM people WHERE born IS NULL OR label IS NULL'
  const real = place.run('ask', sql, '--model', 'made.model.json', '--json').json.estimate
  copy.withLedger()
  const again = copy.run('ask', sql, '--epsilon', '4', '--json').json
  // Every value is read back as what it was: what is missing is what the model says is missing, up to rounding and noise.
  expect(Math.abs(again.estimate - real)).toBeLessThan(30)
})

describe('whoever may spend less', () => {
  test('an analyst has a quota', async () => {
    const place = workspace('neighbours: add-remove, epsilon: 5, analysts: { alice: 1, bob: 4 }')
    const wanted = ['synth', '--method', 'independent', '--out', 'made.csv']
    expect(place.run(...wanted, '--epsilon', '1').status).toBe(2)
    const refused = place.run(...wanted, '--epsilon', '1.5', '--as', 'alice', '--json')
    expect([refused.status, refused.json.error]).toMatchObject([1, { code: 'budget-exceeded', left: 1 }])
    expect(await spent(place)).toBe(0)
    expect(place.run(...wanted, '--epsilon', '1', '--as', 'alice').status).toBe(0)
  })
  test('a guard is asked before anything is spent', async () => {
    const guard = (within: number) => `guards:
  - { query: "SELECT COUNT(*) FROM people WHERE age = 7", within: ${within}, confidence: 0.9 }
`
    const strict = workspace(undefined, guard(40))
    const wanted = ['synth', '--method', 'independent', '--epsilon', '2', '--out', 'made.csv']
    for (const args of [wanted, [...wanted, '--plan']]) {
      const { status, stderr } = strict.run(...args)
      expect([status, stderr]).toEqual([1, expect.stringContaining('guard')])
    }
    expect(await spent(strict)).toBe(0)
    expect(synthFiles(strict)).toEqual([])
    // No guard can judge a score, so none is sold.
    const lax = workspace(undefined, guard(0.5))
    expect(lax.run(...wanted, '--check', '0.1').stderr).toContain('guard')
    expect(await spent(lax)).toBe(0)
    expect(lax.run(...wanted).status).toBe(0)
  })
})

describe('when it breaks off', () => {
  test('a process that is killed in mid-release leaves a ledger that verifies and says what was spent', async () => {
    const place = workspace()
    const script = `
      import { open } from ${JSON.stringify(resolve('dist/index.js'))}
      const data = await open('reticent.yaml')
      await data.synthesize({ method: 'independent', epsilon: 1, progress: () => process.kill(process.pid, 'SIGKILL') })`
    const { signal } = place.script(script)
    expect(signal).toBe('SIGKILL')
    expect(place.run('ledger', 'verify').status).toBe(0)
    // The number of records had been bought.
    expect(await spent(place)).toBe(0.02)
    expect(place.run('synth', '--method', 'independent', '--epsilon', '4.98', '--out', 'made.csv').status).toBe(0)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s while rows are written leaves no files, and what was measured is known',
    async (signal) => {
      const place = workspace()
      const args = ['synth', '--method', 'independent', '--epsilon', '1', '--rows', '3000000', '--out', 'made.csv']
      const child = place.spawn(args)
      let stderr = ''
      child.stderr!.on('data', (data) => {
        stderr += data
      })
      const closed = new Promise((done) => child.on('close', done))
      while (child.exitCode === null && !existsSync(place.path('.made.csv.unfinished/made.csv')))
        await new Promise((done) => setTimeout(done, 2))
      child.kill(signal)
      expect([await closed, stderr]).toEqual([
        { SIGINT: 130, SIGTERM: 143 }[signal],
        expect.stringMatching(
          /ε = \S+ is spent, and the measurements are in the history; receipt \d+:\w+\.\nhint: The next synthetic table will use what was measured/,
        ),
      ])
      expect(synthFiles(place)).toEqual([])
      expect(place.run('ask', 'SELECT COUNT(*) FROM people WHERE age < 20', '--free').status).toBe(0)
    },
  )

  test('the library stops between steps when it is told to', async () => {
    const place = workspace()
    const script = `
      import { open } from ${JSON.stringify(resolve('dist/index.js'))}
      const data = await open('reticent.yaml')
      const stop = new AbortController()
      const progress = ({ doing }) => doing === 'rows' && stop.abort()
      await data.synthesize({ method: 'independent', epsilon: 1, check: 1, progress, signal: stop.signal }).catch(({ code, facts, detail }) => {
        console.log(JSON.stringify({ code, facts, detail }))
      })
      await data.close()`
    const { stdout } = place.script(script)
    const { code, facts } = JSON.parse(stdout)
    expect([code, facts.paid]).toEqual(['interrupted', expect.closeTo(1, 9)])
    expect(await spent(place)).toBeCloseTo(1, 9)
  })

  test('a draft that a killed process left is named', async () => {
    const place = workspace()
    const script = `
      import { open, openSynthFiles } from ${JSON.stringify(resolve('dist/index.js'))}
      await openSynthFiles('made.csv')`
    place.script(script)
    expect(place.run('synth', '--epsilon', '1', '--out', 'made.csv').stderr).toContain('.made.csv.unfinished first')
    expect(await spent(place)).toBe(0)
  })
})
