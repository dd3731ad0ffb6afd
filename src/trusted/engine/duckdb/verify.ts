import type { Unit, Universe } from '../../../schema/index.ts'
import type { Session } from './connection.ts'
import type { Column } from './encode.ts'
import { code, encodedSql } from './encoded.ts'
import { type Files, unreadable } from './files.ts'
import { type DuckSource, filesView, records, requireColumns } from './relation.ts'
import { readHeader } from './text-header.ts'
import { isWellFormed, scanText } from './text-scan.ts'

const malformed = () =>
  unreadable(
    'the source cannot be read without error from beginning to end',
    'Its owner finds out why with `reticent check`.',
  )

/**
 * Reads everything once, so that no later question can fail on a record: text files must be well formed, DuckDB must
 * find as many records in them as our own scanner does, and every record must encode.
 */
export async function verify(
  { connection }: Session,
  files: Files,
  source: DuckSource,
  universe: Universe,
  unit: Unit,
  columns: ReadonlyMap<string, Column>,
): Promise<void> {
  let scanned = 0
  if (files.format === 'text') {
    for (const path of files.paths) {
      const report = await scanText(path, await readHeader(path))
      if (!isWellFormed(report)) throw malformed()
      scanned += report.records
    }
  }
  const all = [...universe.attributes.keys()]
  const sums = all.map((i) => `max(${code(i)})`)
  try {
    await connection.run(`SELECT ${['count(*)', ...sums].join(', ')} FROM (${encodedSql(universe, columns, all)})`)
    if (unit.kind === 'column') {
      const [person] = requireColumns(columns, [unit.column])
      await connection.run(`SELECT max(CAST(${person!.sql} AS VARCHAR)) FROM ${records}`)
    }
    if (files.format !== 'text') return
    const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${filesView(source)}`)
    if (counted.getRowsJS()[0]![0] === scanned) return
  } catch {
    // DuckDB's own words may quote a record.
  }
  throw malformed()
}
