import { rm, writeFile } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { MarginalTable, MarginalTables } from '../release/index.ts'
import type { Attribute } from '../schema/index.ts'
import { numberColumns } from './columns.ts'
import { csvOf } from './csv.ts'

/** Labels have the type that they have in the policy. */
const types: { readonly [K in Attribute['kind']]: string } = {
  values: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
}

/** Writes tables as Parquet, by way of CSV: the same rows, with types. */
export async function withParquet(
  work: (write: (table: MarginalTable, release: MarginalTables, path: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await work((table, release, path) => writeParquet(connection, table, release, path))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function writeParquet(
  connection: DuckDBConnection,
  table: MarginalTable,
  release: MarginalTables,
  path: string,
): Promise<void> {
  const csv = `${path}.csv`
  await writeFile(csv, csvOf(table, release))
  const columns = [
    ...table.attributes.map(({ name, kind }) => [name, types[kind]] as const),
    ...numberColumns(table, release).map(({ name, whole }) => [name, whole ? 'BIGINT' : 'DOUBLE'] as const),
  ]
  const struct = columns.map(([name, type]) => `${quote(name)}: '${type}'`).join(', ')
  const options = `auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false`
  await connection.run(
    `COPY (FROM read_csv(${quote(csv)}, columns = {${struct}}, ${options})) TO ${quote(path)} (FORMAT parquet)`,
  )
  await rm(csv)
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
