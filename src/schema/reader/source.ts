import { resolve } from 'node:path'
import type { Source } from '../policy.ts'
import { postgresKeys, readPostgres } from './postgres.ts'
import type { Entry, Reading } from './reading.ts'
import { readTrino, trinoKeys } from './trino.ts'

const databaseFile = /\.(duckdb|ddb|db)$/i

/** One of these keys, and no other of them. */
export function onlyOne<K extends string>(
  reading: Reading,
  at: Entry,
  fields: ReadonlyMap<string, Entry>,
  keys: readonly K[],
): K | undefined {
  const found = keys.filter((key) => fields.has(key))
  if (found.length === 1) return found[0]
  return reading.mistake(at, `expected exactly one of ${keys.join(', ')}, found ${found.join(' and ') || 'none'}`)
}

/** A path or a glob, made absolute. */
export function path(reading: Reading, entry: Entry, folder: string, expected: string): string | undefined {
  const text = reading.text(entry, expected)
  if (text === undefined) return undefined
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return reading.mistake(entry, `expected ${expected}, found a URL`)
  return resolve(folder, text)
}

export function readSource(reading: Reading, entry: Entry, folder: string): Source | undefined {
  const fields = reading.fields(entry, {}, [
    'duckdb',
    'postgres',
    'trino',
    'table',
    'sql',
    'encoding',
    ...postgresKeys,
    ...trinoKeys,
  ])
  const kind = fields && onlyOne(reading, entry, fields, ['duckdb', 'postgres', 'trino'])
  if (!kind) return undefined
  const text = (key: string, expected: string) => {
    const at = fields.get(key)
    return at && reading.text(at, expected)
  }
  const table = text('table', 'the name of a table')
  const sql = text('sql', 'a SELECT')
  const view = { ...(table !== undefined && { table }), ...(sql !== undefined && { sql }) }
  for (const [other, keys] of [
    ['postgres', postgresKeys],
    ['trino', trinoKeys],
  ] as const)
    for (const key of keys)
      if (kind !== other && fields.has(key)) reading.mistake(fields.get(key)!, `${key} goes with ${other}`)
  if (kind === 'duckdb') {
    const file = readFiles(reading, entry, fields, folder)
    const encoding = readEncoding(reading, fields.get('encoding'), file)
    return file === undefined ? undefined : { kind, path: file, ...view, ...encoding }
  }
  if (fields.has('encoding')) reading.mistake(fields.get('encoding')!, 'encoding goes with duckdb, for text files')
  onlyOne(reading, entry, fields, ['table', 'sql'])
  if (kind === 'postgres') return readPostgres(reading, fields, view)
  return readTrino(reading, entry, fields, folder, view)
}

/** UTF-8 need not be said. */
function readEncoding(reading: Reading, at: Entry | undefined, file: string | undefined) {
  const word = at && reading.word(at, ['utf-8', 'latin-1', 'windows-1252'])
  if (at && file !== undefined && !/\.(csv|tsv|txt)(\.gz)?$/i.test(file))
    reading.mistake(at, 'encoding is for text files: .csv, .tsv, .txt')
  return word === undefined || word === 'utf-8' ? {} : { encoding: word }
}

function readFiles(
  reading: Reading,
  entry: Entry,
  fields: ReadonlyMap<string, Entry>,
  folder: string,
): string | undefined {
  const expected = 'a path or a glob of CSV, Parquet or DuckDB files'
  const file = path(reading, fields.get('duckdb')!, folder, expected)
  if (file === undefined) return undefined
  if (databaseFile.test(file)) onlyOne(reading, entry, fields, ['table', 'sql'])
  else if (fields.has('table'))
    reading.mistake(fields.get('table')!, 'table: is for databases; a CSV or Parquet file is a table itself')
  return file
}
