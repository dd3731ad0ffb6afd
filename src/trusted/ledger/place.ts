import { existsSync } from 'node:fs'
import { type LedgerPlace, ReticentError } from '../../schema/index.ts'
import type { Ledger } from './ledger.ts'
import { createPostgresLedger, rehearsePostgresLedger } from './postgres/create.ts'
import { openPostgresLedger } from './postgres/open.ts'
import type { Create } from './rows/row.ts'
import { createSqliteLedger, rehearseSqliteLedger } from './sqlite/create.ts'
import { openSqliteLedger } from './sqlite/open.ts'

/** Opens the ledger that a policy names; never makes one. */
export const openLedger = (place: LedgerPlace): Promise<Ledger> =>
  place.kind === 'sqlite' ? openSqliteLedger(place.path) : openPostgresLedger(place)

/** Whether there is no ledger where a policy says that it is. */
export async function isLedgerMissing(place: LedgerPlace): Promise<boolean> {
  if (place.kind === 'sqlite') return !existsSync(place.path)
  try {
    await (await openPostgresLedger(place)).close()
    return false
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'ledger-missing') return true
    throw error
  }
}

/** For who makes a ledger: the address of the role that is to own it, where it is in PostgreSQL. */
export interface OwnerOptions {
  readonly owner?: string
}

/** Throws where `createLedger` would, and makes nothing: for who must read a whole source before. */
export async function rehearseLedger(place: LedgerPlace, { owner }: OwnerOptions = {}): Promise<void> {
  if (place.kind === 'sqlite') rehearseSqliteLedger(place.path)
  else await rehearsePostgresLedger(place, owner)
}

/** Makes the ledger that a policy names, which must not exist yet. The secret is its key for fingerprints. */
export const createLedger = (
  place: LedgerPlace,
  row: Create,
  secret: Uint8Array,
  { owner }: OwnerOptions = {},
): Promise<Ledger> =>
  place.kind === 'sqlite'
    ? createSqliteLedger(place.path, row, secret)
    : createPostgresLedger(place, row, secret, { owner })
