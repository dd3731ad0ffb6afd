import { type LedgerPlace, ReticentError } from '../../schema/index.ts'
import type { Ledger } from './ledger.ts'
import type { Create } from './rows/row.ts'
import { createSqliteLedger } from './sqlite/create.ts'
import { openSqliteLedger } from './sqlite/open.ts'

/** Opens the ledger that a policy names; never makes one. */
export async function openLedger(place: LedgerPlace): Promise<Ledger> {
  if (place.kind === 'sqlite') return openSqliteLedger(place.path)
  throw notYet(place.kind)
}

/** Makes the ledger that a policy names, which must not exist yet. The secret is its key for fingerprints. */
export async function createLedger(place: LedgerPlace, row: Create, secret: Uint8Array): Promise<Ledger> {
  if (place.kind === 'sqlite') return createSqliteLedger(place.path, row, secret)
  throw notYet(place.kind)
}

const notYet = (kind: string) =>
  new ReticentError(
    'not-supported',
    { kind },
    { message: `ledgers in ${kind} are not supported yet`, hint: 'Use `ledger: { sqlite: FILE }`.' },
  )
