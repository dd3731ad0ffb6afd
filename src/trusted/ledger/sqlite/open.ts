import { chmodSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Ledger } from '../ledger.ts'
import { busy, explain } from './failure.ts'
import { fileIdentity, requireFile, requireLedger, requireLedgerFile } from './file.ts'
import { SqliteLedger } from './sqlite-ledger.ts'

export interface SqliteOptions {
  readonly clock?: () => Date
  /** How long to wait for other processes before giving up. */
  readonly busyMilliseconds?: number
}

/** Opens the ledger in this file; never makes one. */
export async function openSqliteLedger(path: string, options: SqliteOptions = {}): Promise<Ledger> {
  requireLedgerFile(path)
  const identity = fileIdentity(path)
  const database = await connect(path, options, requireLedger)
  try {
    // What SQLite has opened is what was looked at.
    requireFile(path, identity)
    return new SqliteLedger(database, identity, options.clock ?? systemClock)
  } catch (error) {
    database.close()
    throw explain(error, path)
  }
}

export const systemClock = (): Date => new Date()

/** Loaded when it is first needed: a command that needs no ledger does not wait for it. `check` sees it first. */
export async function connect(
  path: string,
  { busyMilliseconds = 10_000 }: SqliteOptions,
  check?: (database: Database) => void,
): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3')
  let database: Database | undefined
  try {
    mendPermissions(path)
    database = new Sqlite(resolve(path), { fileMustExist: true, timeout: busyMilliseconds })
    check?.(database)
    for (const setting of settings) database.pragma(setting)
    if (database.pragma('journal_mode', { simple: true }) !== 'truncate') throw busy(path)
    return database
  } catch (error) {
    database?.close()
    throw explain(error, path)
  }
}

const settings = [
  // The locks of a rollback journal are on the file itself, those of a write-ahead log on a file beside its name. Ledgers
  // that were made with a log are changed over here, as soon as nobody else has them open: docs/decisions/0008-rollback-journal.md
  'journal_mode = TRUNCATE',
  // A commit returns when the disk has it; on macOS that takes a request of its own.
  'synchronous = FULL',
  'fullfsync = ON',
  'trusted_schema = OFF',
]

/**
 * SQLite gives what it keeps beside a ledger the ledger's permissions. What a process that died left there, from a time
 * when they were others, would go on refusing after the owner has mended them.
 */
function mendPermissions(path: string): void {
  for (const beside of ['-journal', '-wal', '-shm'].map((suffix) => path + suffix)) {
    try {
      const { mode } = statSync(path)
      if (statSync(beside).mode !== mode) chmodSync(beside, mode)
    } catch {
      // It is not there, as a rule; or not ours to mend, and then SQLite will say so.
    }
  }
}
