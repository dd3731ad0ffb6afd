import { ReticentError } from '../../../schema/index.ts'
import type { FileReport, Session } from './database.ts'
import { double } from './encoding/words.ts'
import { unreadableSource } from './errors.ts'

/** Whether the database finds as many records in the files as our own scanner; true where there are no text files. */
export async function countsAgree(session: Session, reports: readonly FileReport[]): Promise<boolean> {
  if (reports.length === 0) return true
  let counted: unknown
  await session.rows(`SELECT ${double('count(*)')} FROM ${session.files}`, (at) => {
    counted = at(0)
  })
  return counted === reports.reduce((sum, r) => sum + r.records, 0)
}

/**
 * Reads everything once, so that no later question can fail on a record: text files must be well formed, the database
 * must find as many records in them as our own scanner does, and `encodeAll` must get through every record.
 */
export async function verify(
  session: Session,
  reports: readonly FileReport[],
  encodeAll: () => Promise<void>,
): Promise<void> {
  try {
    if (reports.some((r) => !r.wellFormed)) throw unreadableSource()
    await encodeAll()
    if (await countsAgree(session, reports)) return
  } catch (error) {
    if (error instanceof ReticentError) throw error
    // The database's own words may quote a record.
  }
  throw unreadableSource()
}
