import { rm, writeFile } from 'node:fs/promises'
import type { SyntheticTable } from '../../release/index.ts'
import { field } from '../csv.ts'
import { columnTypes, quote, quoteName, readCsv, withDuckDb } from '../duckdb.ts'
import { fieldsOf, type Writing } from './fields.ts'
import type { SynthFormat } from './files.ts'

/** Lines that are put together at a time. */
const batch = 5000

/** Writes the rows: with the table's own names, values and types, in its order of columns. */
export async function writeRows(
  table: SyntheticTable,
  { path, format, signal }: { readonly path: string; readonly format: SynthFormat; readonly signal?: AbortSignal },
): Promise<void> {
  if (format === 'csv') return writeFile(path, csvRows(table, 'as-in-source'), { signal })
  const csv = `${path}.csv`
  await writeFile(csv, csvRows(table, 'iso'), { signal })
  const source = readCsv(
    csv,
    table.model.universe.attributes.map(({ name, kind }) => [name, columnTypes[kind]]),
  )
  await withDuckDb(async (connection) => {
    if (format === 'parquet') await connection.run(`COPY (FROM ${source}) TO ${quote(path)} (FORMAT parquet)`)
    else {
      await connection.run(`ATTACH ${quote(path)} AS made`)
      await connection.run(`CREATE TABLE made.${quoteName(table.dataset)} AS FROM ${source}`)
      await connection.run('DETACH made')
    }
  })
  signal?.throwIfAborted()
  await rm(csv)
}

function* csvRows({ model, rows, random }: SyntheticTable, dates: Writing['dates']): Generator<string> {
  const { attributes } = model.universe
  yield `${attributes.map(({ name }) => field(name)).join(',')}\n`
  const fields = attributes.map((attribute) => fieldsOf(attribute, { random, dates }))
  const count = rows[0]!.length
  for (let from = 0; from < count; from += batch) {
    let lines = ''
    for (let row = from; row < Math.min(from + batch, count); row++) {
      for (let column = 0; column < fields.length; column++)
        lines += `${column === 0 ? '' : ','}${fields[column]!(rows[column]![row]!)}`
      lines += '\n'
    }
    yield lines
  }
}
