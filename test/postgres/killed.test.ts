import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLedgerFor, open, verifyLedger } from '../../src/index.ts'
import { type PostgresServer, startServer, withClient, withoutPostgres } from '../support/postgres.ts'
import { stopServer } from '../support/servers/run.ts'

describe.skipIf(await withoutPostgres('a PostgreSQL that is killed'))('a PostgreSQL that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-killed-'))
  const policy = join(folder, 'reticent.yaml')
  let server: PostgresServer
  beforeAll(async () => {
    server = await startServer()
    vi.stubEnv('KILLED', server.url)
    await withClient(server.url, (c) =>
      c.query('CREATE TABLE many AS SELECT i % 50 AS age FROM generate_series(1, 3000) i'),
    )
    writeFileSync(
      policy,
      `dataset: people
source: { postgres: env:KILLED, sql: SELECT a.age FROM many a JOIN many b ON a.age + b.age > 97 }
privacy: { unit: row, epsilon: 1 }
attributes: { age: { integer: [0, 49] } }
ledger: { sqlite: people.ledger }
`,
    )
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await stopServer(server)
    rmSync(folder, { recursive: true })
  })

  test('in mid-query gives one clear error, and a ledger that verifies', async () => {
    await createLedgerFor(policy)
    const people = await open(policy)
    try {
      expect((await people.ask('SELECT COUNT(*) FROM people', { epsilon: 0.1 })).kind).toBe('fresh')
      const asked = people.ask('SELECT COUNT(*) FROM people WHERE age > 9', { epsilon: 0.1 })
      const failed = expect(asked).rejects.toMatchObject({
        code: 'engine-failed',
        message: 'the connection to PostgreSQL was lost',
        detail: expect.stringContaining('is spent'),
      })
      await expect.poll(isReading, { interval: 5, timeout: 20_000 }).toBe(true)
      await killEverything()
      await failed
      const error = await people.ask('SELECT COUNT(*) FROM people WHERE age > 20', { epsilon: 0.1 }).catch((e) => e)
      expect(error).toMatchObject({ name: 'ReticentError', message: 'the PostgreSQL server cannot be reached' })
      expect(`${error.message} ${error.hint} ${JSON.stringify(error.facts)}`).not.toContain(
        new URL(server.url).password,
      )
    } finally {
      await people.close()
    }
    expect(await verifyLedger(policy)).toMatchObject({ ok: true })
  })

  /** Whether the server is at the join, and not only at what it knows about its tables. */
  const isReading = () =>
    withClient(server.url, async (c) => {
      const { rows } = await c.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'reticent' AND state = 'active' AND query ~ 'JOIN many' AND query !~ 'LIMIT 0$'`,
      )
      return rows.length > 0
    })

  /** SIGKILL to the server and to every process of its, as a power cut would. */
  const killEverything = async () => {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    for (const pid of [server.pid, ...children.split('\n').map(Number).filter(Boolean)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // it has ended by itself
      }
    }
  }
})
