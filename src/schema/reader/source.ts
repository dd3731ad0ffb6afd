import { resolve } from 'node:path'
import type { LedgerPlace, Source } from '../policy.ts'
import type { Entry, Reading } from './reading.ts'

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
function path(reading: Reading, entry: Entry, folder: string, expected: string): string | undefined {
  const text = reading.text(entry, expected)
  if (text === undefined) return undefined
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return reading.mistake(entry, `expected ${expected}, found a URL`)
  return resolve(folder, text)
}

function url(reading: Reading, entry: Entry, schemes: readonly string[]): string | undefined {
  const expected = `a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`
  const text = reading.text(entry, expected)
  if (text === undefined) return undefined
  const right = URL.canParse(text) && schemes.some((s) => text.startsWith(`${s}://`))
  return right ? text : reading.mistake(entry, `expected ${expected}`)
}

const postgres = ['postgres', 'postgresql'] as const

export function readSource(reading: Reading, entry: Entry, folder: string): Source | undefined {
  const fields = reading.fields(entry, {}, [
    'duckdb',
    'postgres',
    'trino',
    'table',
    'sql',
    'catalog',
    'schema',
    'encoding',
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
  const place = fields.get(kind)!
  if (kind !== 'trino')
    for (const key of ['catalog', 'schema'])
      if (fields.has(key)) reading.mistake(fields.get(key)!, `${key} goes with trino`)
  if (kind === 'duckdb') {
    const file = readFiles(reading, entry, fields, folder)
    const encoding = readEncoding(reading, fields.get('encoding'), file)
    return file === undefined ? undefined : { kind, path: file, ...view, ...encoding }
  }
  if (fields.has('encoding')) reading.mistake(fields.get('encoding')!, 'encoding goes with duckdb, for text files')
  onlyOne(reading, entry, fields, ['table', 'sql'])
  if (kind === 'postgres') {
    const server = url(reading, place, postgres)
    return server === undefined ? undefined : { kind, url: server, ...view }
  }
  for (const key of ['catalog', 'schema'])
    if (!fields.has(key)) reading.mistake(entry, `${key} is missing: trino needs it to find the table`)
  const server = url(reading, place, ['http', 'https'])
  const catalog = text('catalog', 'the name of a catalog')
  const schema = text('schema', 'the name of a schema')
  if (server === undefined || catalog === undefined || schema === undefined) return undefined
  return { kind, url: server, catalog, schema, ...view }
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

export function readLedger(reading: Reading, entry: Entry, folder: string): LedgerPlace | undefined {
  const fields = reading.fields(entry, {}, ['sqlite', 'postgres'])
  const kind = fields && onlyOne(reading, entry, fields, ['sqlite', 'postgres'])
  if (!kind) return undefined
  if (kind === 'sqlite') {
    const file = path(reading, fields.get(kind)!, folder, 'the path of a file')
    return file === undefined ? undefined : { kind, path: file }
  }
  const server = url(reading, fields.get(kind)!, postgres)
  return server === undefined ? undefined : { kind, url: server }
}
