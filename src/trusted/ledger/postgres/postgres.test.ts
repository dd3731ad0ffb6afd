import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bySex, count, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { withClient, withoutPostgres } from '../../../../test/support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../../../../test/support/postgres-ledger.ts'
import { exportRows } from '../export.ts'
import { checkSeen } from '../head/seen.ts'
import type { Ledger } from '../ledger.ts'
import { verifyRows } from '../structure.ts'
import type { PostgresPlace } from './connection.ts'
import { createPostgresLedger } from './create.ts'
import { openPostgresLedger } from './open.ts'

const secret = Uint8Array.from({ length: 32 }, (_, i) => 200 - i)
const failure = (code: string) => expect.objectContaining({ code })
const script = resolve(import.meta.dirname, '../../../../test/contract/ledger-process.ts')

describe.skipIf(await withoutPostgres('ledgers in PostgreSQL'))('a ledger in PostgreSQL', () => {
  let database: LedgerDatabase
  beforeAll(async () => {
    database = await ledgerDatabase()
  })
  afterAll(() => database.stop())

  async function make(rows = 0): Promise<PostgresPlace> {
    const place = database.place()
    const ledger = await createPostgresLedger(place, create, secret, { owner: database.owner })
    for (let i = 0; i < rows; i++) await ledger.append(reserve(count))
    await ledger.close()
    return place
  }
  async function using<T>(place: PostgresPlace, work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await openPostgresLedger(place)
    try {
      return await work(ledger)
    } finally {
      await ledger.close()
    }
  }
  const asRole = (sql: string) => withClient(database.url, (client) => client.query(sql))
  const asOwner = (sql: string) => withClient(database.owner, (client) => client.query(sql))
  const at = (place: PostgresPlace, change: (address: URL) => void): PostgresPlace => {
    const address = new URL(place.url)
    change(address)
    return { ...place, url: address.href }
  }

  describe('gives its role no right to change what is written:', () => {
    test('not even the owner changes rows, unless he takes the trigger away', async () => {
      const { schema } = await make(2)
      for (const sql of [
        `UPDATE ${schema}.rows SET body = ''`,
        `DELETE FROM ${schema}.rows`,
        `DELETE FROM ${schema}.rows WHERE false`,
        `TRUNCATE ${schema}.rows`,
      ]) {
        await expect(asRole(sql), sql).rejects.toThrow(expect.objectContaining({ code: '42501' }))
        await expect(asOwner(sql), sql).rejects.toThrow('append-only')
      }
      for (const sql of [
        `DROP TABLE ${schema}.rows`,
        `ALTER TABLE ${schema}.rows DISABLE TRIGGER ALL`,
        `UPDATE ${schema}.secrets SET key = ''`,
        `INSERT INTO ${schema}.secrets VALUES ('')`,
        `UPDATE ${schema}.format SET version = 2`,
        `CREATE TABLE ${schema}.other (a int)`,
      ])
        await expect(asRole(sql), sql).rejects.toThrow(expect.objectContaining({ code: '42501' }))
      // And nobody else sees it.
      await database.database.run(`CREATE ROLE ${schema}_other LOGIN PASSWORD 'x'`)
      const other = at({ kind: 'postgres', url: database.url, schema }, (address) => {
        address.username = `${schema}_other`
        address.password = 'x'
      })
      await expect(openPostgresLedger(other)).rejects.toThrow(failure('ledger-unwritable'))
      await database.database.run(`DROP ROLE ${schema}_other`)
    })

    test('a role that could is refused, whoever made it so', async () => {
      const place = await make(1)
      const owner = { ...place, url: database.owner }
      await expect(openPostgresLedger(owner)).rejects.toThrow(failure('ledger-unsafe'))
      await expect(openPostgresLedger({ ...place, url: database.database.url })).rejects.toThrow(
        failure('ledger-unsafe'),
      )
      const { schema } = place
      const { run } = database.database
      const ownerRole = new URL(database.owner).username
      for (const [more, back] of [
        [`GRANT DELETE ON ${schema}.rows TO ${database.role}`, `REVOKE DELETE ON ${schema}.rows FROM ${database.role}`],
        // One column is enough to change a row by; who owns the schema may drop the whole table.
        [
          `GRANT UPDATE (at) ON ${schema}.rows TO ${database.role}`,
          `REVOKE UPDATE (at) ON ${schema}.rows FROM ${database.role}`,
        ],
        [
          `ALTER SCHEMA ${schema} OWNER TO ${database.role}`,
          `ALTER SCHEMA ${schema} OWNER TO ${ownerRole}; GRANT USAGE ON SCHEMA ${schema} TO ${database.role}`,
        ],
      ] as const) {
        await run(more)
        await expect(openPostgresLedger(place), more).rejects.toThrow(failure('ledger-unsafe'))
        await run(back)
      }
      expect(await using(place, (ledger) => ledger.read(1))).toHaveLength(1)
    })

    test('one that owns the ledger, or could, makes none', async () => {
      const place = database.place()
      const own = (url: string, owner: string | undefined) =>
        createPostgresLedger({ ...place, url }, create, secret, { owner })
      await expect(own(database.url, undefined)).rejects.toThrow(failure('usage'))
      await expect(own(database.owner, database.owner)).rejects.toThrow(failure('ledger-unsafe'))
      await expect(own(database.database.url, database.owner)).rejects.toThrow(failure('ledger-unsafe'))
      // Nor is it made by a role without the right to.
      await expect(own(database.url, database.url)).rejects.toThrow(failure('ledger-unsafe'))
      await expect(openPostgresLedger(place)).rejects.toThrow(failure('ledger-missing'))
    })

    test('the owner is of the same database', async () => {
      const other = await ledgerDatabase()
      const elsewhere = createPostgresLedger(database.place(), create, secret, { owner: other.owner })
      await expect(elsewhere).rejects.toThrow(failure('usage'))
      await other.stop()
    })
  })

  test('is made once, also where two make it at the same time', async () => {
    const place = database.place()
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => createPostgresLedger(place, create, secret, { owner: database.owner })),
    )
    for (const tried of tries)
      if (tried.status === 'fulfilled') await tried.value.close()
      else expect(tried.reason).toMatchObject({ code: 'ledger-exists' })
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(createPostgresLedger(place, create, secret, { owner: database.owner })).rejects.toThrow(
      failure('ledger-exists'),
    )
  })

  test('refuses a record once another process has ended the epoch that paid for it', async () => {
    const place = await make(1)
    await using(place, async (ledger) => {
      const paid = (await ledger.append(reserve(count)))!
      const epoch = { kind: 'epoch', attributes: create.attributes, fingerprint: 'new' } as const
      await using(place, (other) => other.append(epoch))
      const record = { kind: 'record', reserve: paid.seq, values: [Float64Array.of(1)] } as const
      await expect(ledger.append(record)).rejects.toThrow(failure('ledger-refused'))
    })
  })

  test('shares a database with others, each in its schema', async () => {
    const [one, two] = [await make(1), await make(2)]
    expect(await using(one, (ledger) => ledger.read(0))).toHaveLength(2)
    expect(await using(two, (ledger) => ledger.read(0))).toHaveLength(3)
  })

  test('does not export its key', async () => {
    const lines = exportRows(await using(await make(1), (ledger) => ledger.read(0))).join('\n')
    const forms = (['hex', 'base64', 'latin1', 'utf8'] as const).map((form) => Buffer.from(secret).toString(form))
    for (const form of [...forms, [...secret].join(',')]) expect(lines.includes(form)).toBe(false)
  })

  describe('is refused', () => {
    const codeAndText = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => expect.unreachable(),
        (caught) => caught,
      )
      const text = JSON.stringify([error.message, error.detail, error.hint, error.facts])
      expect(error.name).toBe('ReticentError')
      expect(text).not.toMatch(/of the runner|of%20the|SASL|FATAL|password authentication|relation "/)
      return error.code
    }

    test('with a wrong password, user, database, port or schema', async () => {
      const place = await make()
      const changes: [string, (address: URL) => void][] = [
        ['ledger-unreachable', (address) => (address.password = 'wrong')],
        ['ledger-unreachable', (address) => (address.password = '')],
        ['ledger-unreachable', (address) => (address.username = 'nobody_here')],
        ['ledger-unreachable', (address) => (address.pathname = '/nowhere')],
        ['ledger-unreachable', (address) => (address.port = '1')],
        ['ledger-unreachable', (address) => (address.search = '?sslmode=require')],
      ]
      for (const [code, change] of changes) expect(await codeAndText(openPostgresLedger(at(place, change)))).toBe(code)
      expect(await codeAndText(openPostgresLedger({ ...place, schema: 'nowhere' }))).toBe('ledger-missing')
    })

    test('without the right to read or add', async () => {
      const place = await make(1)
      await asOwner(`REVOKE INSERT ON ${place.schema}.rows FROM ${database.role}`)
      await using(place, async (ledger) => {
        expect(await ledger.read(1)).toHaveLength(1)
        expect(await codeAndText(ledger.append(reserve(count)))).toBe('ledger-unwritable')
        await asOwner(`REVOKE SELECT ON ${place.schema}.rows FROM ${database.role}`)
        expect(await codeAndText(ledger.read(0))).toBe('ledger-unwritable')
      })
    })

    test('of another version, or with a table that is not logged', async () => {
      const place = await make()
      await asOwner(`UPDATE ${place.schema}.format SET version = 2`)
      expect(await codeAndText(openPostgresLedger(place))).toBe('not-supported')
      await asOwner(`UPDATE ${place.schema}.format SET version = 1; ALTER TABLE ${place.schema}.rows SET UNLOGGED`)
      expect(await codeAndText(openPostgresLedger(place))).toBe('ledger-unsafe')
    })

    test('where commits do not wait for the disk', async () => {
      const place = await make(1)
      const set = (value: string) =>
        database.database.run(`ALTER ROLE ${database.role} SET synchronous_commit = ${value}`)
      await set('off')
      expect(await codeAndText(openPostgresLedger(place))).toBe('ledger-unsafe')
      await set('local')
      await using(place, (ledger) => ledger.append(reserve(count)))
    })
  })

  describe('that was changed', () => {
    const rewrite = (schema: string, sql: string) =>
      asOwner(`ALTER TABLE ${schema}.rows DISABLE TRIGGER ALL; ${sql.replaceAll('rows', `${schema}.rows`)}`)
    const changes = {
      'a changed row': "UPDATE rows SET body = replace(body, '10', '90') WHERE seq = 2",
      'a changed time': "UPDATE rows SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 2",
      'a changed blob': "UPDATE rows SET blob = '\\x020406' WHERE seq = 3",
      'a row deleted from the middle': 'DELETE FROM rows WHERE seq = 3',
      'a row deleted from the beginning': 'DELETE FROM rows WHERE seq = 1',
      'all rows deleted': 'DELETE FROM rows',
      'a row added by hand': "INSERT INTO rows VALUES (5, '2020-01-01T00:00:00.000Z', '{}', '', 'abc', NULL)",
    }
    for (const [name, sql] of Object.entries(changes))
      test(name, async () => {
        const place = await make(3)
        await rewrite(place.schema, sql)
        await using(place, async (ledger) => {
          await expect(ledger.read(0)).rejects.toThrow(failure('ledger-corrupt'))
          await expect(ledger.append(reserve(count))).rejects.toThrow(failure('ledger-corrupt'))
        })
      })

    test('back to an older state is noticed: by who has it open, by receipts and the head last seen', async () => {
      const place = await make(1)
      await using(place, async (ledger) => {
        const head = (await ledger.append(reserve(count)))!
        await rewrite(place.schema, `DELETE FROM rows WHERE seq = ${head.seq}`)
        await expect(ledger.append(reserve(bySex))).rejects.toThrow(failure('ledger-rolled-back'))
        await expect(ledger.read(head.seq)).rejects.toThrow(failure('ledger-rolled-back'))
        await using(place, async (other) => {
          await expect(checkSeen(other, head)).rejects.toThrow(failure('ledger-rolled-back'))
          await other.append(reserve(bySex))
          await expect(checkSeen(other, head)).rejects.toThrow(failure('ledger-rolled-back'))
        })
        // Nor where another row has taken its place.
        await expect(ledger.append(reserve(bySex))).rejects.toThrow(failure('ledger-rolled-back'))
      })
    })

    test.each([
      ['', ''],
      [', in a serialisable transaction', 'BEGIN ISOLATION LEVEL SERIALIZABLE'],
    ])('by somebody who does not take the lock%s: one row is let through', async (_, begin) => {
      const place = await make(1)
      await using(place, async (ledger) =>
        using(place, async (other) => {
          const [, second] = await ledger.read(0)
          // The first has the lock and has looked; what comes from elsewhere meanwhile wins.
          const late = await ledger.inTurn(async (append) => {
            await withClient(database.url, async (client) => {
              if (begin) await client.query(begin)
              const { rows } = await client.query(`SELECT * FROM ${place.schema}.rows WHERE seq = 2`)
              await client.query(`INSERT INTO ${place.schema}.rows VALUES (3, $1, $2, $3, 'unchained', NULL)`, [
                rows[0].at,
                rows[0].body,
                rows[0].blob,
              ])
              if (begin) await client.query('COMMIT')
            })
            return append(reserve(count), second)
          })
          expect(late).toBeUndefined()
          await expect(other.read(0)).rejects.toThrow(failure('ledger-corrupt'))
        }),
      )
    })
  })

  test('lets who has waited see what was committed meanwhile, and append at the first try', async () => {
    const place = await make()
    await using(place, async (ledger) =>
      using(place, async (other) => {
        await other.read(0)
        let turns = 0
        const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        const waiting = await ledger.inTurn(async (append) => {
          const later = other.inTurn((appendLater) => {
            turns++
            return appendLater(reserve(bySex))
          })
          await expect.poll(async () => (await database.database.run(waits)).rows.length).toBe(1)
          // It keeps nobody from the notes.
          await other.setNote('while', 'waiting')
          await append(reserve(count))
          return { later }
        })
        expect(await waiting.later).toMatchObject({ seq: 3 })
        expect(turns).toBe(1)
      }),
    )
  })

  test('checks and appends in one serialisable transaction', async () => {
    const place = await make()
    await using(place, async (ledger) => {
      await ledger.inTurn(async () => {
        const { rows } = await asOwner(`SELECT mode FROM pg_locks WHERE relation = '${place.schema}.rows'::regclass`)
        // The rows that were read are watched for what others write.
        expect(rows.map(({ mode }) => mode)).toContain('SIReadLock')
      })
    })
  })

  test('is shared by processes: none appends on a head that has moved', async () => {
    const place = await make()
    const each = 60
    const start = () =>
      spawn(process.execPath, [script, JSON.stringify(place), 'compete', `${each}`], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
    const children = [start(), start(), start()]
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of children) stdin.end()
    const moved = await Promise.all(children.map(async ({ stdout }) => Number((await stdout.toArray()).join(''))))
    const rows = await using(place, (ledger) => ledger.read(0))
    expect(rows).toHaveLength(1 + 3 * each)
    expect(verifyRows(rows)).toEqual([])
    expect(moved.reduce((a, b) => a + b)).toBeGreaterThan(0)
  })
})
