import type { DuckDBConnection } from '@duckdb/node-api'
import type { Attribute } from '../schema/index.ts'

/** The type of an attribute's values. */
export const columnTypes: { readonly [K in Attribute['kind']]: string } = {
  values: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DOUBLE',
  bins: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
}

/** The type of an attribute's labels: a bin's is a text such as [10, 20). */
export const labelTypes = { ...columnTypes, bins: 'VARCHAR' }

/** A database in memory, to turn text into typed files. */
export async function withDuckDb(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  // Loading it takes as long as all the rest of a command that writes no file.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** What reads a CSV file of ours back, with types. */
export function readCsv(path: string, columns: readonly (readonly [name: string, type: string])[]): string {
  const struct = columns.map(([name, type]) => `${quote(name)}: '${type}'`).join(', ')
  const options = `auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false`
  return `read_csv(${quote(path)}, columns = {${struct}}, ${options})`
}

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
