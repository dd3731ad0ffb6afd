import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { memoryLedger } from '../../src/evaluation/index.ts'
import { createSqliteLedger } from '../../src/trusted/ledger/sqlite/create.ts'
import { ledgerContract } from './ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
ledgerContract('sqlite', (create, secret, clock) =>
  createSqliteLedger(join(folder, `${made++}.ledger`), create, secret, { clock }),
)
ledgerContract('memory', memoryLedger)
