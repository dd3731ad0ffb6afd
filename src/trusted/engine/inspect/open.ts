import type { DuckDBConnection } from '@duckdb/node-api'
import { lock, openSession } from '../duckdb/connection.ts'
import type { Column } from '../duckdb/encode.ts'
import { type Files, resolveFiles, type SourceFile } from '../duckdb/files.ts'
import { createRecords, type DuckSource, describeRecords, filesView } from '../duckdb/relation.ts'
import { readHeader } from '../duckdb/text-header.ts'
import { isWellFormed, scanText, type TextReport } from '../duckdb/text-scan.ts'

/** What is wrong with one text file. */
export interface FileReport extends TextReport {
  readonly path: string
  readonly columns: readonly string[]
  /** Names that stand more than once in the header: such columns cannot be used. */
  readonly duplicates: readonly string[]
  readonly wellFormed: boolean
}

async function fileReport(file: SourceFile): Promise<FileReport> {
  const header = await readHeader(file)
  const lower = header.columns.map((c) => c.toLowerCase())
  const duplicates = header.columns.filter((_, i) => lower.indexOf(lower[i]!) !== i)
  const report = await scanText(file, header)
  return { path: file.path, columns: header.columns, duplicates, ...report, wellFormed: isWellFormed(report) }
}

/** Reports on all text files of a source; none for other formats. */
export const fileReports = async (files: Files): Promise<FileReport[]> =>
  files.format === 'text' ? Promise.all(files.all.map(fileReport)) : []

/** Numbers of a single row, by their names. */
export type Numbers = { readonly [name: string]: number }

export interface Look {
  readonly files: Files
  readonly columns: ReadonlyMap<string, Column>
  readonly connection: DuckDBConnection
  /** One row of expressions over a relation; every one is cast to a double. */
  numbers(expressions: { readonly [name: string]: string }, from: string): Promise<Numbers>
}

/** Opens the source as the engine does and lets the work look at it. */
export async function look<T>(source: DuckSource, work: (look: Look) => Promise<T>): Promise<T> {
  const files = await resolveFiles(source.path)
  const session = await openSession()
  try {
    await createRecords(session, source, files)
    await lock(session, files)
    const { connection } = session
    const numbers: Look['numbers'] = async (expressions, from) => {
      const names = Object.keys(expressions)
      const select = names.map((n) => `(${expressions[n]})::DOUBLE`)
      const [row] = (await connection.runAndReadAll(`SELECT ${select.join(', ')} FROM ${from}`)).getRowsJS()
      return Object.fromEntries(names.map((n, i) => [n, Number(row![i] ?? 0)]))
    }
    return await work({ files, connection, columns: await describeRecords(session), numbers })
  } finally {
    await session.close()
  }
}

/** Whether DuckDB finds as many records in the text files as our own scanner. */
export async function countsAgree(l: Look, source: DuckSource, reports: readonly FileReport[]): Promise<boolean> {
  if (reports.length === 0) return true
  const { n } = await l.numbers({ n: 'count(*)' }, filesView(source))
  return n === reports.reduce((sum, r) => sum + r.records, 0)
}
