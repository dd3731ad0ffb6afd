import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Ledger } from '../ledger.ts'
import { explain } from './failure.ts'
import { requireLedgerFile } from './file.ts'
import { SqliteLedger } from './sqlite-ledger.ts'

export interface SqliteOptions {
  readonly clock?: () => Date
  /** How long to wait for other processes before giving up. */
  readonly busyMilliseconds?: number
}

/** Opens the ledger in this file; never makes one. */
export async function openSqliteLedger(path: string, options: SqliteOptions = {}): Promise<Ledger> {
  requireLedgerFile(path)
  const database = await connect(path, options)
  try {
    return new SqliteLedger(database, options.clock ?? systemClock)
  } catch (error) {
    database.close()
    throw explain(error, path)
  }
}

export const systemClock = (): Date => new Date()

/** Loaded when it is first needed: a command that needs no ledger does not wait for it. */
export async function connect(path: string, { busyMilliseconds = 10_000 }: SqliteOptions): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3')
  let database: Database | undefined
  try {
    database = new Sqlite(resolve(path), { fileMustExist: true, timeout: busyMilliseconds })
    // A commit returns when the disk has it; on macOS that takes a request of its own.
    for (const setting of ['synchronous = FULL', 'fullfsync = ON', 'trusted_schema = OFF']) database.pragma(setting)
    return database
  } catch (error) {
    database?.close()
    throw explain(error, path)
  }
}
