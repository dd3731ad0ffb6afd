import { resolve } from 'node:path'
import type { Source } from '../policy.ts'
import type { Entry, Reading } from './reading.ts'

type TrinoSource = Extract<Source, { kind: 'trino' }>

/** What may stand beside the address of a Trino server. */
export const trinoKeys = ['catalog', 'schema', 'version', 'password', 'token', 'ca', 'session'] as const

const variable = /^env:[A-Za-z_]\w*$/

/** The server's address, or `env:NAME` of a variable that has it. A policy is public: it holds no password. */
function readServer(reading: Reading, entry: Entry): string | undefined {
  const expected = 'a URL that begins with http:// or https://, or env:NAME'
  const text = reading.text(entry, expected)
  if (text === undefined || variable.test(text)) return text
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return reading.mistake(entry, `expected ${expected}`)
  const { password, pathname, search, hash } = new URL(text)
  if (password !== '')
    return reading.mistake(
      entry,
      'a policy is public: put the password into the environment, and say password: env:NAME',
    )
  if (pathname !== '/' || search || hash) return reading.mistake(entry, 'expected nothing behind the host and the port')
  return text
}

function readSecret(reading: Reading, entry: Entry | undefined): string | undefined {
  const expected = 'env:NAME, a variable of the environment'
  const text = entry && reading.text(entry, expected)
  if (text === undefined || variable.test(text)) return text
  return reading.mistake(entry!, `expected ${expected}: a policy is public`)
}

/** The number of a snapshot, which never changes; a branch or a tag may. */
function readVersion(reading: Reading, entry: Entry | undefined, table: string | undefined): string | undefined {
  const expected = 'the number of a snapshot of an Iceberg table'
  const text = entry && reading.text(entry, expected)
  if (text === undefined) return undefined
  if (table === undefined) return reading.mistake(entry!, 'version: goes with table:')
  return /^\d{1,19}$/.test(text) ? text : reading.mistake(entry!, `expected ${expected}`)
}

/** Session properties, such as `query_max_run_time: 10m` or `lake.projection_pushdown_enabled: true`. */
function readSession(reading: Reading, entry: Entry | undefined): TrinoSource['session'] {
  const found = entry && reading.map(entry, 'session properties, such as { query_max_run_time: 10m }')
  if (!found) return undefined
  const properties: [string, string][] = []
  for (const [key, at] of found) {
    if (!/^[A-Za-z_]\w*(\.\w+)?$/.test(key)) reading.mistake(at, 'expected the name of a session property')
    const value = reading.text(at, 'a value')
    if (value !== undefined) properties.push([key, value])
  }
  return Object.fromEntries(properties)
}

export function readTrino(
  reading: Reading,
  entry: Entry,
  fields: ReadonlyMap<string, Entry>,
  folder: string,
  view: Pick<TrinoSource, 'table' | 'sql'>,
): TrinoSource | undefined {
  const name = (key: 'catalog' | 'schema') => {
    const at = fields.get(key)
    return at
      ? reading.text(at, `the name of a ${key}`)
      : reading.mistake(entry, `${key} is missing: trino needs it to find the table`)
  }
  const [catalog, schema] = [name('catalog'), name('schema')]
  const url = readServer(reading, fields.get('trino')!)
  const [password, token] = [readSecret(reading, fields.get('password')), readSecret(reading, fields.get('token'))]
  if (password !== undefined && token !== undefined) reading.mistake(entry, 'expected a password or a token, not both')
  const ca = fields.has('ca') ? reading.text(fields.get('ca')!, 'the path of a PEM file') : undefined
  const version = readVersion(reading, fields.get('version'), view.table)
  const session = readSession(reading, fields.get('session'))
  if (url === undefined || catalog === undefined || schema === undefined) return undefined
  return {
    kind: 'trino',
    url,
    catalog,
    schema,
    ...view,
    ...(version !== undefined && { version }),
    ...(password !== undefined && { password }),
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca: resolve(folder, ca) }),
    ...(session && { session }),
  }
}
