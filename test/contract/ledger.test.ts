import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { memoryLedger } from '../../src/evaluation/index.ts'
import { createPostgresLedger } from '../../src/trusted/ledger/postgres/create.ts'
import { createSqliteLedger } from '../../src/trusted/ledger/sqlite/create.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../support/postgres-ledger.ts'
import { ledgerContract } from './ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
ledgerContract('sqlite', (create, secret, clock) =>
  createSqliteLedger(join(folder, `${made++}.ledger`), create, secret, { clock }),
)
ledgerContract('memory', memoryLedger)

describe.skipIf(await withoutPostgres('the contract of ledgers, in PostgreSQL'))('in a real server', () => {
  let database: LedgerDatabase
  beforeAll(async () => {
    database = await ledgerDatabase()
  })
  afterAll(() => database.stop())
  ledgerContract('postgres', (create, secret, clock) =>
    createPostgresLedger(database.place(), create, secret, { clock, owner: database.owner }),
  )
})
