import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../src/cli/commands/check.ts'
import { checkLedger, createLedgerFor, type Dataset, open, verifyLedger } from '../../src/index.ts'
import { listener } from '../support/listener.ts'
import { type PostgresDatabase, startPostgres, withoutPostgres } from '../support/postgres.ts'
import { Workspace } from '../system/workspace.ts'
import { leftIn } from './signalled-workspace.ts'

/** Of n rows, n⁴: ten are read at once, and two thousand take days. */
const crossed = (table: string) => `SELECT a.age FROM ${table} a, ${table} b, ${table} c, ${table} d`
const [few, many] = [10, 2000]

const policyOf = (source: string) => `dataset: people
source: { ${source}, sql: "${crossed(source.startsWith('duckdb') ? 'source' : 'people')}" }
privacy: { unit: row, neighbours: add-remove, epsilon: 5 }
attributes:
  age: { integer: [0, 9], closed: true }
ledger: { sqlite: people.ledger }
`
const csv = (rows: number) => `age\n${Array.from({ length: rows }, (_, i) => i % 10).join('\n')}\n`
const question = 'SELECT COUNT(*) FROM people WHERE age < 5'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A source whose rows can be changed behind the ledger's back. */
interface Changing {
  readonly policy: string
  fill(rows: number): Promise<void>
  /** Resolves once the source is being read. */
  busy(): Promise<unknown>
  /** Resolves once nothing is read any more. */
  quiet(): Promise<unknown>
}

/** Who stops waiting while the source is checked pays nothing, and can ask again. */
function stopping(make: () => Promise<Changing>): void {
  let source: Changing
  let data: Dataset
  beforeAll(async () => {
    source = await make()
    await source.fill(few)
    await createLedgerFor(source.policy)
    data = await open(source.policy)
  })
  afterAll(() => data.close())

  const works = {
    'a question': (signal: AbortSignal) => data.ask(question, { epsilon: '1', signal }),
    'a release': (signal: AbortSignal) => data.releaseMarginals({ ways: 1, epsilon: 1, signal }),
    'a check': (signal: AbortSignal) => checkLedger(source.policy, signal),
    'the check of a policy': (signal: AbortSignal) =>
      check({ policy: source.policy, json: false }, listener().out, signal),
  }
  test.each(Object.entries(works))(
    '%s that is stopped while the source is read ends, and costs nothing',
    async (_, work) => {
      await source.fill(many)
      const abort = new AbortController()
      const ended = expect(work(abort.signal)).rejects.toMatchObject({ code: 'interrupted' })
      await source.busy()
      abort.abort()
      await ended
      await source.quiet()
      expect(await data.budget()).toMatchObject({ spent: { epsilon: 0 } })
      expect(await data.history()).toEqual([])
      expect(await verifyLedger(source.policy)).toMatchObject({ ok: true, rows: 1 })
    },
  )

  test('whoever asks next is answered', async () => {
    await source.fill(few)
    expect(await data.ask(question, { epsilon: '1' })).toMatchObject({ kind: 'fresh' })
  })

  test('what is being read for somebody else goes on', async () => {
    const abort = new AbortController()
    const other = data.ask(`${question} AND age > 0`, { epsilon: '0.1' })
    const stopped = data.ask(`${question} AND age > 1`, { epsilon: '0.1', signal: abort.signal }).catch(() => undefined)
    abort.abort()
    expect(await other).toMatchObject({ kind: 'fresh' })
    await stopped
  })
}

describe('a file', () =>
  stopping(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reticent-interrupted-'))
    const policy = join(folder, 'reticent.yaml')
    writeFileSync(policy, policyOf('duckdb: people.csv'))
    return {
      policy,
      fill: async (rows) => writeFileSync(join(folder, 'people.csv'), csv(rows)),
      // DuckDB does not tell; were nothing read by then, it would be stopped all the same.
      busy: () => pause(300),
      quiet: async () => undefined,
    }
  }))

describe.skipIf(await withoutPostgres('interrupted checks'))('a table in PostgreSQL', () => {
  let database: PostgresDatabase
  afterAll(async () => {
    delete process.env.INTERRUPTED_DATABASE
    await database.stop()
  })
  stopping(async () => {
    database = await startPostgres()
    process.env.INTERRUPTED_DATABASE = database.url
    await database.run('CREATE TABLE people (age integer)')
    const policy = join(mkdtempSync(join(tmpdir(), 'reticent-interrupted-')), 'reticent.yaml')
    writeFileSync(policy, policyOf('postgres: env:INTERRUPTED_DATABASE'))
    const running = async () =>
      (
        await database.run(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
          AND application_name = 'reticent' AND query LIKE '%people a%'`)
      ).rows.length
    return {
      policy,
      fill: async (rows) =>
        void (await database.run(
          `TRUNCATE people; INSERT INTO people SELECT i % 10 FROM generate_series(0, ${rows - 1}) i`,
        )),
      busy: () => expect.poll(running).toBeGreaterThan(0),
      quiet: () => expect.poll(running).toBe(0),
    }
  })
})

test('the command ends soon after Ctrl-C, and nothing is charged', async () => {
  const workspace = new Workspace({ 'people.csv': csv(few), 'reticent.yaml': policyOf('duckdb: people.csv') })
  workspace.withLedger()
  workspace.write('people.csv', csv(many))
  mkdirSync(workspace.path('tmp'))
  const child = workspace.spawn(['ask', question, '--epsilon', '1'], { env: { TMPDIR: workspace.path('tmp') } })
  const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)))
  while (leftIn(workspace).length === 0) await pause(5)
  await pause(200)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(leftIn(workspace)).toEqual([])
  expect(workspace.run('history', '--json').json.releases).toEqual([])
})
