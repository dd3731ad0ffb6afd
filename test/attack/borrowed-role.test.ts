import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLedger, openLedger } from '../../src/trusted/ledger/index.ts'
import { count, create, reserve } from '../contract/ledger-rows.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../support/postgres-ledger.ts'

// The attack: the role that Reticent runs as looks harmless, but with `SET ROLE` or `RESET ROLE` whoever has its password becomes one that may
// change or drop the ledger's rows. Such a role must be refused, as one is that has these rights itself.

const noPostgres = await withoutPostgres('a ledger under borrowed roles')

describe.skipIf(noPostgres)('a ledger in PostgreSQL is refused', () => {
  let database: LedgerDatabase
  beforeAll(async () => {
    database = await ledgerDatabase()
  })
  afterAll(() => database.stop())

  async function ledger() {
    const place = database.place()
    const made = await createLedger(place, create, new Uint8Array(32), { owner: database.owner })
    await made.append(reserve(count))
    await made.close()
    return place
  }
  const refused = expect.objectContaining({ code: 'ledger-unsafe' })

  test('to a role that may become one with more rights', async () => {
    const place = await ledger()
    const { role, database: server } = database
    const cleaner = `${role}_cleaner`
    await server.run(`CREATE ROLE ${cleaner}; GRANT USAGE ON SCHEMA ${place.schema} TO ${cleaner};
      GRANT DELETE ON ${place.schema}.rows TO ${cleaner}; GRANT ${cleaner} TO ${role} WITH INHERIT FALSE, SET TRUE`)
    try {
      await expect(openLedger(place)).rejects.toThrow(refused)
      await server.run(`REVOKE ${cleaner} FROM ${role}`)
      await (await openLedger(place)).close()
    } finally {
      await server.run(`DROP OWNED BY ${cleaner}; DROP ROLE ${cleaner}`)
    }
  })

  test.each([
    ['a superuser', 'SUPERUSER', ''],
    ['a member of the owner', '', 'owner'],
  ])('to %s who logs in under the name of the harmless role', async (_, rights, member) => {
    const place = await ledger()
    const { role, database: server } = database
    const mighty = `${role}_mighty`
    const owner = new URL(database.owner).username
    await server.run(
      `CREATE ROLE ${mighty} LOGIN PASSWORD 'mighty' ${rights}; GRANT ${role} TO ${mighty}; ALTER ROLE ${mighty} SET role = ${role}`,
    )
    if (member) await server.run(`GRANT ${owner} TO ${mighty}`)
    const url = new URL(place.url)
    Object.assign(url, { username: mighty, password: 'mighty' })
    try {
      await expect(openLedger({ ...place, url: url.href })).rejects.toThrow(refused)
      const another = { ...database.place(), url: url.href }
      await expect(createLedger(another, create, new Uint8Array(32), { owner: database.owner })).rejects.toThrow(
        refused,
      )
      await expect(openLedger({ ...another, url: place.url })).rejects.toMatchObject({ code: 'ledger-missing' })
    } finally {
      await server.run(`DROP ROLE ${mighty}`)
    }
  })
})
