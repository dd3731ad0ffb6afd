import { requireOpen } from '../closing.ts'
import { corrupt } from '../damage.ts'
import type { MovableLedger } from '../movable.ts'
import { explain } from './failure.ts'
import { fileIdentity, requireFile, requireLedger, requireLedgerFile } from './file.ts'
import { connect } from './open.ts'
import { rawRow } from './sqlite-ledger.ts'
import { insertRow, rowsAfter } from './tables.ts'

/** Opens the ledger in this file to be moved, also one that is closed. */
export async function movableSqliteLedger(path: string): Promise<MovableLedger> {
  requireLedgerFile(path)
  const identity = fileIdentity(path)
  const database = await connect(path, {}, requireLedger)
  const explained = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw explain(error, path)
    }
  }
  // With this, a lock for writing is kept beyond the commit, until the connection is closed.
  const keepLock = () => database.pragma('locking_mode = EXCLUSIVE')
  return {
    hold: async () =>
      explained(() => {
        keepLock()
        database.transaction(() => {}).exclusive()
      }),
    contents: async () =>
      explained(() => {
        const rows = database.prepare<[number], unknown>(rowsAfter).all(0).map(rawRow)
        const [secret, ...others] = database.prepare<[], unknown>('SELECT key FROM secrets').pluck().all()
        if (others.length > 0 || !(secret instanceof Uint8Array)) throw corrupt('its key is missing')
        return { rows, secret: Uint8Array.from(secret) }
      }),
    finish: async (after, closing) =>
      explained(() => {
        keepLock()
        return database
          .transaction(() => {
            requireFile(path, identity)
            const later = database.prepare<[number], unknown>(rowsAfter).all(after.seq).map(rawRow)
            requireOpen(later)
            database.prepare(insertRow).run({ ...closing(later.at(-1) ?? after), parent: null })
            return later
          })
          .immediate()
      }),
    close: async () => {
      database.close()
    },
  }
}
