import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { RawRecord, RawValue } from '../../src/evaluation/index.ts'

/** A table as a test writes it down: DuckDB's types (TEXT columns alone fit a text file), and the records. */
export interface Table {
  readonly columns: { readonly [name: string]: string }
  readonly rows: readonly RawRecord[]
}

export const textTable = (columns: readonly string[], rows: readonly RawRecord[]): Table => ({
  columns: Object.fromEntries(columns.map((c) => [c, 'VARCHAR'])),
  rows,
})

export const temporary = (): string => mkdtempSync(join(tmpdir(), 'reticent-engine-'))

const field = (value: RawValue) => {
  const text = String(value ?? '')
  return /[",\n\r]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

export function writeCsv(path: string, { columns, rows }: Table, end = '\n'): void {
  const names = Object.keys(columns)
  const lines = [names.map(field), ...rows.map((row) => names.map((n) => field(row[n])))]
  writeFileSync(path, lines.map((l) => l.join(',') + end).join(''))
}

const literal = (value: RawValue) =>
  value === null || value === undefined
    ? 'NULL'
    : `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`
const name = (text: string) => `"${text.replaceAll('"', '""')}"`

async function withTable(file: string, { columns, rows }: Table, then = ''): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const types = Object.entries(columns).map(([c, type]) => `${name(c)} ${type}`)
  await connection.run(`CREATE TABLE people (${types.join(', ')})`)
  const list = Object.entries(columns)
  for (let from = 0; from < rows.length; from += 1000) {
    const values = rows
      .slice(from, from + 1000)
      .map((row) => `(${list.map(([c, type]) => `${literal(row[c])}::${type}`).join(', ')})`)
    await connection.run(`INSERT INTO people VALUES ${values.join(', ')}`)
  }
  if (then) await connection.run(then)
  connection.closeSync()
  instance.closeSync()
}

/** PostgreSQL's names for DuckDB's types; a list of values is a type of its own there. */
const inPostgres: { readonly [type: string]: string } = {
  UTINYINT: 'smallint',
  TINYINT: 'smallint',
  UBIGINT: 'numeric(20)',
  HUGEINT: 'numeric',
  DOUBLE: 'double precision',
  FLOAT: 'real',
  TIMESTAMP_NS: 'timestamp',
}

/** Writes the table in PostgreSQL, under a name that is new, or in place of the rows that a table has. */
export async function writePostgres(
  run: (sql: string) => Promise<unknown>,
  named: string,
  { columns, rows }: Table,
): Promise<void> {
  const list = Object.entries(columns)
  const types = list.map(([c, type], i) => [c, type.startsWith('ENUM') ? `${named}_${i}` : (inPostgres[type] ?? type)])
  const made = list.flatMap(([, type], i) => (type.startsWith('ENUM') ? [`CREATE TYPE ${named}_${i} AS ${type}`] : []))
  await run([...made, `CREATE TABLE ${named} (${types.map(([c, t]) => `${name(c!)} ${t}`).join(', ')})`].join(';'))
  await insertPostgres(run, named, { columns, rows })
}

/** Other rows in place of a table's own, at once; and the server's counters say so from then on. */
export const replacePostgres = async (run: (sql: string) => Promise<unknown>, named: string, table: Table) => {
  await run(`BEGIN; DELETE FROM ${named}`)
  await insertPostgres(run, named, table)
  await run('COMMIT')
  await run('SELECT pg_stat_force_next_flush()')
}

async function insertPostgres(run: (sql: string) => Promise<unknown>, named: string, { columns, rows }: Table) {
  const names = Object.keys(columns)
  for (let from = 0; from < rows.length; from += 1000) {
    const values = rows.slice(from, from + 1000).map((row) => `(${names.map((c) => literal(row[c])).join(', ')})`)
    await run(`INSERT INTO ${named} VALUES ${values.join(', ')}`)
  }
}

export const writeParquet = (path: string, table: Table) =>
  withTable(':memory:', table, `COPY people TO '${path}' (FORMAT parquet)`)
export const writeDatabase = (path: string, table: Table) => withTable(path, table)
