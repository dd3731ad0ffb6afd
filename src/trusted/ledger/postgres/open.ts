import type { Ledger } from '../ledger.ts'
import type { PostgresPlace } from './connection.ts'
import { PostgresLedger } from './postgres-ledger.ts'

export interface PostgresOptions {
  readonly clock?: () => Date
}

export const systemClock = (): Date => new Date()

/** Opens the ledger in this schema; never makes one. */
export async function openPostgresLedger(
  place: PostgresPlace,
  { clock = systemClock }: PostgresOptions = {},
): Promise<Ledger> {
  const ledger = new PostgresLedger(place, clock)
  try {
    return await ledger.open()
  } catch (error) {
    await ledger.close()
    throw error
  }
}
