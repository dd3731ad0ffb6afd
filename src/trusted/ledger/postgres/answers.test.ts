import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { count, create, laplace, reserve } from '../../../../test/contract/ledger-rows.ts'
import { withClient, withoutPostgres } from '../../../../test/support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../../../../test/support/postgres-ledger.ts'
import { rational } from '../../../numeric/index.ts'
import { answerSize, marginal } from '../../../query/index.ts'
import { universe } from '../../../schema/index.ts'
import { linkRow } from '../chain.ts'
import type { Ledger } from '../ledger.ts'
import { encodeRow } from '../rows/encode.ts'
import type { Row } from '../rows/row.ts'
import { verifyRows } from '../structure.ts'
import type { PostgresPlace } from './connection.ts'
import { createPostgresLedger } from './create.ts'
import { openPostgresLedger } from './open.ts'

const failure = (code: string) => expect.objectContaining({ code })

describe.skipIf(await withoutPostgres('answers in ledgers in PostgreSQL'))(
  'a ledger in PostgreSQL takes the answer to a reservation',
  () => {
    let database: LedgerDatabase
    beforeAll(async () => {
      database = await ledgerDatabase()
    })
    afterAll(() => database.stop())

    async function make(): Promise<PostgresPlace> {
      const place = database.place()
      await (await createPostgresLedger(place, create, new Uint8Array(32), { owner: database.owner })).close()
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
    const answer = (paidBy: number): Row => ({ kind: 'record', reserve: paidBy, values: [Float64Array.of(5)] })
    const odd = `SELECT '🦉 {"kind":"epoch"} \\ \u{10FFFF}' FROM census`

    test('behind whatever others have bought, in one message, with the hash that everybody computes', async () => {
      const place = await make()
      await using(place, async (ledger) =>
        using(place, async (other) => {
          await ledger.append(reserve(count))
          const rows: Row[] = [
            { ...reserve(count), statement: odd },
            answer(3),
            { kind: 'refine', analyst: odd, statement: null, parent: '3.0', law: laplace(1, 3) },
            { kind: 'void', reserve: 5 },
            { kind: 'cap', epsilon: rational(2), delta: rational(0) },
            { kind: 'guards', guards: [{ query: 'q', within: rational(3), confidence: rational(9, 10) }] },
          ]
          for (const row of rows) await other.append(row)
          const messages = vi.spyOn(Client.prototype, 'query')
          const stored = await ledger.append(answer(2))
          expect(messages).toHaveBeenCalledTimes(1)
          messages.mockRestore()
          const all = await using(place, (fresh) => fresh.read(0))
          expect(all.at(-1)).toEqual(stored)
          expect(all.slice(2, -1).map(({ row }) => row)).toEqual(rows)
          expect(verifyRows(all)).toEqual([])
          // Both go on from there.
          expect(await ledger.append(reserve(count))).toMatchObject({ seq: stored!.seq + 1 })
          expect(await other.append(reserve(count))).toMatchObject({ seq: stored!.seq + 2 })
        }),
      )
    })

    test.each(['\u0000', '\ud800', '\udc00 \ud800'])(
      'also behind texts that PostgreSQL cannot read as JSON: %j',
      async (text) => {
        const place = await make()
        await using(place, async (ledger) =>
          using(place, async (other) => {
            await ledger.append(reserve(count))
            await other.append({ ...reserve(count), statement: text })
            expect(await ledger.append(answer(2))).toMatchObject({ seq: 4 })
            expect(verifyRows(await other.read(0))).toEqual([])
          }),
        )
      },
    )

    test('also where its role may not have the server hash', async () => {
      const place = await make()
      const { run } = database.database
      await run('REVOKE EXECUTE ON FUNCTION pg_catalog.sha256(bytea) FROM PUBLIC')
      await using(place, async (ledger) => {
        await ledger.append(reserve(count))
        expect(await ledger.append(answer(2))).toMatchObject({ seq: 3 })
      }).finally(() => run('GRANT EXECUTE ON FUNCTION pg_catalog.sha256(bytea) TO PUBLIC'))
    })

    test('while the same process reads', async () => {
      const place = await make()
      await using(place, async (ledger) =>
        using(place, async (other) => {
          for (let i = 0; i < 20; i++) {
            const [own] = await Promise.all([
              ledger.append(reserve(count)),
              other.append(reserve(count)),
              ledger.read(0),
            ])
            const [, recorded] = await Promise.all([ledger.read(0), ledger.append(answer(own!.seq)), ledger.read(1)])
            expect((await ledger.read(0)).at(-1)).toEqual(recorded)
          }
          expect(verifyRows(await other.read(0))).toEqual([])
        }),
      )
    })

    test.each<[string, Row]>([
      ['a new epoch', { kind: 'epoch', attributes: create.attributes, fingerprint: 'new' }],
      ['a restored copy', { kind: 'restore', lost: { seq: 9, hash: 'a'.repeat(64) }, epsilon: null, rho: null }],
      ['somebody who gave it up', { kind: 'void', reserve: 2 }],
      ['another answer', answer(2)],
    ])('but not behind %s', async (_, last) => {
      const place = await make()
      await using(place, async (ledger) =>
        using(place, async (other) => {
          await ledger.append(reserve(count))
          const stored = await other.append(last)
          await expect(ledger.append(answer(2))).rejects.toThrow(failure('ledger-refused'))
          expect((await other.read(0)).at(-1)).toEqual(stored)
        }),
      )
    })

    test('however long it is, and sends it once', async () => {
      const place = await make()
      await using(place, async (ledger) => {
        await ledger.append(reserve({ query: marginal(['age', 'pay', 'born']), law: laplace(10) }))
        const values = Float64Array.from(
          { length: answerSize(marginal(['age', 'pay', 'born']), universe(create.attributes)) },
          (_, i) => -i,
        )
        const messages = vi.spyOn(Client.prototype, 'query')
        const stored = await ledger.append({ kind: 'record', reserve: 2, values: [values] })
        const sent = messages.mock.calls.map(([message]) => String(message).length)
        messages.mockRestore()
        expect(sent).toHaveLength(1)
        expect(sent[0]).toBeLessThan(2.1 * encodeRow(stored!.row).blob.length)
        expect(await using(place, (fresh) => fresh.read(2))).toEqual([stored])
      })
    })

    test('as it was when it was given', async () => {
      const place = await make()
      await using(place, async (ledger) =>
        using(place, async (other) => {
          await ledger.append(reserve(count))
          await other.append({ kind: 'void', reserve: 2 })
          const row = { ...answer(2), reserve: 2 }
          const appended = ledger.append(row)
          row.reserve = 3
          await expect(appended).rejects.toThrow(failure('ledger-refused'))
          expect(verifyRows(await other.read(0))).toEqual([])
        }),
      )
    })

    test('not of a ledger with a row that does not fit, whose hash is right', async () => {
      const place = await make()
      await using(place, async (ledger) => {
        const paid = await ledger.append(reserve(count))
        const { seq, at, body, hash } = linkRow(paid!, 'then', encodeRow({ kind: 'void', reserve: 1 }))
        await asRole(`INSERT INTO ${place.schema}.rows VALUES (${seq}, '${at}', '${body}', '', '${hash}')`)
        await expect(ledger.append(answer(2))).rejects.toThrow(failure('ledger-corrupt'))
      })
    })

    test('not of rows that were changed, nor with another hash than it should have', async () => {
      const place = await make()
      await using(place, async (ledger) => {
        await ledger.append(reserve(count))
        await asOwner(`CREATE FUNCTION ${place.schema}.worse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.hash := repeat('0', 64); RETURN NEW; END $$;
        CREATE TRIGGER worse BEFORE INSERT ON ${place.schema}.rows FOR EACH ROW EXECUTE FUNCTION ${place.schema}.worse()`)
        await expect(ledger.append(answer(2))).rejects.toThrow(failure('ledger-corrupt'))
      })
    })
  },
)
