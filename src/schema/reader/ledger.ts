import { resolve } from 'node:path'
import { usage } from '../error.ts'
import type { LedgerPlace } from '../policy.ts'
import { readPostgresUrl } from './postgres.ts'
import type { Entry, Reading } from './reading.ts'
import { onlyOne, path } from './source.ts'

const isServer = (text: string) => /^(postgres(ql)?:\/\/|env:[A-Za-z_]\w*$)/.test(text)
/** As long as a name in PostgreSQL may be; what is longer would be cut, and two ledgers be one. */
const longestName = 63

/** Each dataset has a schema of its own, so that several share a database. */
const schemaOf = (dataset: string) => `reticent_${dataset}`
const isSchema = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !/^pg_/i.test(name) && name.length <= longestName
const schemaText = `a name of letters, digits and _, at most ${longestName} of them, that begins with neither a digit nor pg_`

export function readLedger(
  reading: Reading,
  entry: Entry,
  folder: string,
  dataset: string | undefined,
): LedgerPlace | undefined {
  const fields = reading.fields(entry, {}, ['sqlite', 'postgres', 'schema'])
  const kind = fields && onlyOne(reading, entry, fields, ['sqlite', 'postgres'])
  if (!kind) return undefined
  const schema = fields.get('schema')
  if (kind === 'sqlite') {
    if (schema) reading.mistake(schema, 'schema goes with postgres')
    const file = path(reading, fields.get(kind)!, folder, 'the path of a file')
    return file === undefined ? undefined : { kind, path: file }
  }
  const url = readPostgresUrl(reading, fields.get(kind)!)
  const name = schema ? reading.text(schema, schemaText) : dataset && schemaOf(dataset)
  if (name !== undefined && !isSchema(name)) reading.mistake(schema ?? entry, `schema: expected ${schemaText}`)
  return url === undefined || name === undefined ? undefined : { kind, url, schema: name }
}

/** A place as the owner types it: an address of PostgreSQL, `env:NAME`, or the path of a file. */
export function ledgerPlace(text: string, dataset: string, schema: string = schemaOf(dataset)): LedgerPlace {
  if (!isServer(text)) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw usage('a ledger is a file, or in PostgreSQL: postgresql://…')
    return { kind: 'sqlite', path: resolve(text) }
  }
  if (!isSchema(schema)) throw usage(`the name of the schema must be ${schemaText}`)
  return { kind: 'postgres', url: text, schema }
}
