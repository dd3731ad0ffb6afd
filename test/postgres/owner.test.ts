import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../src/cli/commands/check.ts'
import { init } from '../../src/cli/commands/init.ts'
import { create } from '../../src/cli/commands/ledger.ts'
import { beginEpoch, createLedgerFor } from '../../src/index.ts'
import { listener } from '../support/listener.ts'
import { type PostgresDatabase, startPostgres, withoutPostgres } from '../support/postgres.ts'
import { ledgerDatabase } from '../support/postgres-ledger.ts'

describe.skipIf(await withoutPostgres('the owner of a table in PostgreSQL'))(
  'the owner of a table in PostgreSQL',
  () => {
    let database: PostgresDatabase
    const folder = mkdtempSync(join(tmpdir(), 'reticent-postgres-owner-'))
    const drafted = async (name: string, flags: { table?: string } = {}) => {
      const policy = join(folder, name)
      await init('env:OWNERS_DATABASE', { policy, json: false, ...flags }, listener().out)
      return { policy, text: readFileSync(policy, 'utf8') }
    }

    beforeAll(async () => {
      database = await startPostgres()
      process.env.OWNERS_DATABASE = database.url
      await database.run(`CREATE SCHEMA ward; CREATE TABLE ward.visits AS
      SELECT i % 90 AS age, CASE WHEN i % 50 = 0 THEN 999 ELSE i % 40 END AS stay, i % 70 || ',5' AS price FROM generate_series(1, 1000) i`)
    })
    afterAll(async () => {
      delete process.env.OWNERS_DATABASE
      rmSync(folder, { recursive: true, force: true })
      await database.stop()
    })

    test('has a policy drafted, named after the table, with advice that PostgreSQL understands', async () => {
      const { text } = await drafted('drafted.yaml')
      expect(text).toContain('\ndataset: visits\nsource: { postgres: "env:OWNERS_DATABASE", table: ward.visits }\n')
      expect(text).toContain('ledger: { sqlite: visits.ledger }')
      expect(text).not.toContain('REPLACE')
      const advice = [...text.matchAll(/in an `sql:` of the source select (.*)$/gm)].map(([, select]) => select)
      expect(advice).toEqual([`nullif("stay", 999) AS "stay"`, `replace("price", ',', '.') AS "price"`])
      const { rows } = await database.run(`SELECT max(stay)::int AS stay, max(price::numeric)::text AS price
      FROM (SELECT ${advice.join(', ')} FROM ward.visits) AS advised`)
      expect(rows).toEqual([{ stay: 39, price: '69.5' }])
    })

    test('has a draft that no name of a column can add a line to', async () => {
      await database.run(
        'CREATE TABLE ward.odd AS SELECT i || \',5\' AS "x\nepsilon: 100" FROM generate_series(1, 99) i',
      )
      const { text } = await drafted('odd.yaml', { table: 'ward.odd' })
      await database.run('DROP TABLE ward.odd')
      expect(text).toContain(`select replace("x epsilon: 100", ',', '.')`)
      expect(text).not.toMatch(/^epsilon: 100/m)
    })

    test('is told how the table fits, how changes are noticed and what may be missed', async () => {
      const { policy, text } = await drafted('checked.yaml', { table: 'ward.visits' })
      writeFileSync(policy, text.replaceAll(/ # review.*/g, '').replace(/integer: \[0, 90\]/, 'integer: [0, 79]'))
      const { said, out } = listener()
      expect(await check({ policy, json: false }, out)).toBe(0)
      const age = { name: 'age', closed: false, nulls: 0, unparsable: 0, unlisted: 0, clamped: 110, moved: 0 }
      expect(said.value).toMatchObject({ ok: true, rows: 1000, attributes: expect.arrayContaining([age]) })
      expect(said.text).toContain('A change committed less than a minute ago may be missed')
      expect(said.text).toContain('create it with `reticent ledger create --policy')
      writeFileSync(
        policy,
        readFileSync(policy, 'utf8').replace('sqlite: visits.ledger', 'postgres: env:OWNERS_DATABASE'),
      )
      expect(await check({ policy, json: false }, out)).toBe(0)
      expect(said.text).toContain(`reticent ledger create --policy ${policy} --owner env:NAME`)
    })

    const policyOf = (sql: string, ledger: string) => `dataset: visits
source: { postgres: env:OWNERS_DATABASE, sql: "${sql}" }
privacy: { unit: row, neighbours: add-remove, epsilon: 1 }
attributes:
  age: { integer: [0, 89] }
ledger: { ${ledger} }
`

    test('who cannot make a ledger is told so before the source is read', async () => {
      const policy = join(folder, 'ownerless.yaml')
      const unreadable = 'SELECT age / 0 AS age FROM ward.visits'
      const ledgers = await ledgerDatabase()
      process.env.OWNERS_LEDGER = ledgers.url
      writeFileSync(policy, policyOf(unreadable, 'postgres: env:OWNERS_LEDGER, schema: budget'))
      const tried = (owner?: string) => create({ policy, json: false, owner }, listener().out)
      await expect(tried()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('owned by a role'),
      })
      await expect(tried(ledgers.url)).rejects.toMatchObject({ code: 'ledger-unsafe' })
      await expect(tried(ledgers.owner)).rejects.toMatchObject({ code: 'source-unreadable' })
      await ledgers.database.run('CREATE SCHEMA budget')
      await expect(tried(ledgers.owner)).rejects.toMatchObject({ code: 'ledger-exists' })
      writeFileSync(policy, policyOf(unreadable, 'sqlite: nowhere/at-all.ledger'))
      await expect(tried()).rejects.toMatchObject({ code: 'ledger-unwritable' })
      delete process.env.OWNERS_LEDGER
      await ledgers.stop()
    })

    const slow = 'SELECT v.age FROM ward.visits v, generate_series(1, 100000000) i'
    const running = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
    AND application_name = 'reticent' AND query LIKE '%generate_series(1, 100000000)%'`

    test.each([
      ['a check', (policy: string, signal: AbortSignal) => check({ policy, json: false }, listener().out, signal)],
      ['the creation of a ledger', (policy: string, signal: AbortSignal) => createLedgerFor(policy, signal)],
    ])('who interrupts %s stops the statement in the server', async (name, work) => {
      const policy = join(folder, `${name}.yaml`)
      writeFileSync(policy, policyOf(slow, 'sqlite: interrupted.ledger'))
      const abort = new AbortController()
      const ended = expect(work(policy, abort.signal)).rejects.toMatchObject({ code: 'interrupted' })
      await expect.poll(async () => (await database.run(running)).rows.length).toBeGreaterThan(0)
      abort.abort()
      await ended
      expect((await database.run(running)).rows).toEqual([])
      expect(existsSync(join(folder, 'interrupted.ledger'))).toBe(false)
    })

    test('who interrupts a new epoch stops the statement, and the old one goes on', async () => {
      const policy = join(folder, 'epoch.yaml')
      const about = (sql: string) => policyOf(sql, 'sqlite: epoch.ledger')
      writeFileSync(policy, about('SELECT age FROM ward.visits'))
      await createLedgerFor(policy)
      writeFileSync(policy, about(slow))
      const abort = new AbortController()
      const ended = expect(beginEpoch(policy, abort.signal)).rejects.toMatchObject({ code: 'interrupted' })
      await expect.poll(async () => (await database.run(running)).rows.length).toBeGreaterThan(0)
      abort.abort()
      await ended
      expect((await database.run(running)).rows).toEqual([])
      const { said, out } = listener()
      writeFileSync(policy, about('SELECT age FROM ward.visits'))
      await check({ policy, json: false }, out)
      expect(said.value.ledger).toMatchObject({ ok: true, rows: 1 })
    })
  },
)
