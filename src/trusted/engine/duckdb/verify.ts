import type { Session } from './connection.ts'
import { type Files, unreadableSource } from './files.ts'
import { type DuckSource, filesView } from './relation.ts'
import { readHeader } from './text-header.ts'
import { isWellFormed, scanText } from './text-scan.ts'

/**
 * Reads everything once, so that no later question can fail on a record: text files must be well formed, DuckDB must
 * find as many records in them as our own scanner does, and `encodeAll` must get through every record.
 */
export async function verify(
  { connection }: Session,
  files: Files,
  source: DuckSource,
  encodeAll: () => Promise<unknown>,
): Promise<void> {
  let scanned = 0
  if (files.format === 'text') {
    for (const file of files.all) {
      const report = await scanText(file, await readHeader(file))
      if (!isWellFormed(report)) throw unreadableSource()
      scanned += report.records
    }
  }
  try {
    await encodeAll()
    if (files.format !== 'text') return
    const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${filesView(source)}`)
    if (counted.getRowsJS()[0]![0] === scanned) return
  } catch {
    // DuckDB's own words may quote a record.
  }
  throw unreadableSource()
}
