import { rm, writeFile } from 'node:fs/promises'
import type { MarginalTable, MarginalTables } from '../release/index.ts'
import { numberColumns } from './columns.ts'
import { csvOf } from './csv.ts'
import { labelTypes, quote, readCsv, withDuckDb } from './duckdb.ts'

/** Writes tables as Parquet, by way of CSV: the same rows, with types. */
export const withParquet = (
  work: (write: (table: MarginalTable, release: MarginalTables, path: string) => Promise<void>) => Promise<void>,
): Promise<void> =>
  withDuckDb((connection) =>
    work(async (table, release, path) => {
      const csv = `${path}.csv`
      await writeFile(csv, csvOf(table, release))
      const columns = [
        ...table.attributes.map(({ name, kind }) => [name, labelTypes[kind]] as const),
        ...numberColumns(table, release).map(({ name, whole }) => [name, whole ? 'BIGINT' : 'DOUBLE'] as const),
      ]
      await connection.run(`COPY (FROM ${readCsv(csv, columns)}) TO ${quote(path)} (FORMAT parquet)`)
      await rm(csv)
    }),
  )
