import type { Column, Database, FileReport, Look, Session } from '../sql/index.ts'
import { name } from '../sql/index.ts'
import { duckdb, kindOf } from './dialect.ts'
import { type Files, resolveFiles, type SourceFile } from './files.ts'
import { contentDigest, metadataDigest } from './fingerprint.ts'
import { type Connected, connect, lock } from './session.ts'
import { readHeader } from './text-header.ts'
import { isWellFormed, scanText } from './text-scan.ts'
import { utf8Files } from './utf8-files.ts'
import { createRecords, type DuckSource, filesView, records, tablesIn } from './views.ts'

/** The files that a path stands for now; one may have been added, replaced, or put behind a link since the last look. */
interface FilesLook extends Look {
  readonly files: Files
}

/** Files read through DuckDB: text, Parquet, or a table of a DuckDB file. */
export function duckdbDatabase(source: DuckSource): Database<FilesLook> {
  const stop = new AbortController()
  const { signal } = stop
  return {
    dialect: duckdb,
    async look(key) {
      const files = await resolveFiles(source.path, source.encoding)
      return { files, ...(await metadataDigest(source, files, key)) }
    },
    open: ({ files }) => open(source, files, signal),
    digest: ({ files }, key) => contentDigest(source, files, key, signal),
    tables: ({ files }) => tablesIn(files),
    reports: async ({ files }) =>
      files.format === 'text' ? Promise.all(files.all.map((file) => reportOn(file, signal))) : [],
    // Files are read here and not by a statement: to look for what is wrong with them, and for their digest.
    cancel: () => stop.abort(),
  }
}

async function open(source: DuckSource, files: Files, signal: AbortSignal): Promise<Session> {
  const connected = await connect()
  try {
    const readable = await utf8Files(files, connected.folder, signal)
    await createRecords(connected, source, readable)
    await lock(connected, readable)
    return {
      ...connected,
      records,
      columns: await columnsOf(connected),
      files: filesView(source),
      isRemote: false,
      isDear: files.format === 'text' || source.sql !== undefined,
    }
  } catch (error) {
    await connected.close()
    throw error
  }
}

/** The columns of the view of records, by name. */
export async function columnsOf({ connection }: Connected): Promise<Map<string, Column>> {
  const rows = (await connection.runAndReadAll(`DESCRIBE ${records}`)).getRowsJS() as [string, string][]
  return new Map(rows.map(([column, type]) => [column, columnOf(name(column), type)]))
}

/**
 * Texts are compared byte by byte, whatever collation a table or a view gives them, which no type shows: what it takes for equal
 * would be counted as one of them, the one that is read first, and so one record could move all others.
 */
function columnOf(sql: string, type: string): Column {
  const kind = kindOf(type)
  if (kind === 'other') return { sql, type, kind, identity: sql }
  return { sql: kind === 'text' ? `(${sql} COLLATE C)` : sql, type, kind }
}

async function reportOn(file: SourceFile, signal: AbortSignal): Promise<FileReport> {
  const header = await readHeader(file)
  const lower = header.columns.map((c) => c.toLowerCase())
  const duplicates = header.columns.filter((_, i) => lower.indexOf(lower[i]!) !== i)
  const report = await scanText(file, header, signal)
  return { path: file.path, columns: header.columns, duplicates, ...report, wellFormed: isWellFormed(report) }
}
