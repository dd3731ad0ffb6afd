import { readdirSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { Workspace } from './workspace.ts'

/** Labels that every format must carry through unchanged. */
export const labels = ['a"b', 'two\nlines', 'a,b', ' space', "it's", '=A1', 'NULL']
export const rows = Array.from({ length: 2000 }, (_, i) => {
  const label = labels[i % labels.length]!.replaceAll('"', '""')
  return `"${label}",${i % 40},${(i % 9) * 0.25},${i % 3 === 0},${String(1 + (i % 28)).padStart(2, '0')}.${String(1 + (i % 12)).padStart(2, '0')}.${1990 + (i % 5)}`
})
export const csv = ['label,age,"rate, %",member,born', ...rows].join('\n')
export const policy = (privacy = 'neighbours: add-remove, epsilon: 5', more = '') => `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, ${privacy} }
attributes:
  label:     { values: ${JSON.stringify(labels)}, other: true }
  age:       { integer: [0, 39], closed: true }
  "rate, %": { decimal: [0, 2], step: 0.25 }
  member:    { boolean: true, closed: true }
  born:      { date: [1990-03-10, 1994-10-20], by: month, format: DD.MM.YYYY }
ledger: { sqlite: people.ledger }
${more}`
export const workspace = (privacy?: string, more?: string) =>
  new Workspace({ 'people.csv': csv, 'reticent.yaml': policy(privacy, more) }).withLedger()
export const spent = async (place: Workspace): Promise<number> =>
  (await place.here('budget', '--json')).json.spent.epsilon
export const synthFiles = (place: Workspace): string[] =>
  readdirSync(place.dir).filter((name) => name.includes('made') || name.includes('unfinished'))
/** What a query says about a file. */
export async function queried(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
/** How each format is read back. */
export const sources: { readonly [format: string]: (path: string) => string } = {
  csv: (path) =>
    `(SELECT label, age::BIGINT AS age, "rate, %"::DOUBLE AS "rate, %", member::BOOLEAN AS member, strptime(born, '%d.%m.%Y')::DATE AS born
      FROM read_csv('${path}', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false))`,
  parquet: (path) => `read_parquet('${path}')`,
  duckdb: () => `made.people`,
}
