import { resolve } from 'node:path'
import { type Source, usage } from '../../schema/index.ts'

/** The options of `init` about a source, besides its place. */
export interface SourceFlags {
  readonly table?: string
  readonly encoding?: string
  readonly catalog?: string
  readonly schema?: string
  readonly password?: string
  readonly token?: string
  readonly ca?: string
}

/** The source: a file, or the address of a server, which may be in the environment. */
export function initialSource(data: string, flags: SourceFlags): Source {
  const { table, encoding, ...server } = flags
  const view = table === undefined ? {} : { table }
  const address = /^env:/.test(data) ? (process.env[data.slice('env:'.length)] ?? '') : data
  if (/^https?:\/\//.test(address)) return trinoSource(data, view, server)
  refuse(server, 'goes with a Trino server: https://user@host:8443')
  if (/^postgres(ql)?:\/\//.test(address)) return { kind: 'postgres', url: withoutPassword(data), ...view }
  if (data.startsWith('env:')) throw usage(`${data.slice(4)} is not set to the address of a server`)
  return { kind: 'duckdb', path: resolve(data), ...view, ...encodingOf(encoding) }
}

function trinoSource(url: string, view: { table?: string }, flags: SourceFlags): Source {
  const { catalog, schema, password, token, ca } = flags
  if (catalog === undefined || schema === undefined)
    throw usage('a table in Trino is in a catalog and a schema', 'Name them with --catalog NAME --schema NAME.')
  for (const secret of [password, token])
    if (secret !== undefined && !secret.startsWith('env:'))
      throw usage('a password or token must come from the environment', 'Say --password env:NAME, or --token env:NAME.')
  return {
    kind: 'trino',
    url: withoutPassword(url),
    catalog,
    schema,
    ...view,
    ...(password !== undefined && { password }),
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca: resolve(ca) }),
  }
}

/** A policy is public, and what is typed is seen by others. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url
  const { password, searchParams } = new URL(url)
  if (password === '' && !searchParams.has('password')) return url
  throw usage(
    'a policy is public, so the address in it must not contain a password',
    'Set a variable to the address, and name it instead: reticent init env:NAME …',
  )
}

function refuse(flags: object, why: string): void {
  const [given] = Object.entries(flags).filter(
    ([key, value]) => ['catalog', 'schema', 'password', 'token', 'ca'].includes(key) && value !== undefined,
  )
  if (given) throw usage(`--${given[0]} ${why}`)
}

/** UTF-8 is the default. */
function encodingOf(given = 'utf-8') {
  const name = given.toLowerCase()
  if (name === 'latin-1' || name === 'windows-1252') return { encoding: name } as const
  if (name === 'utf-8') return {}
  throw usage(`the encoding ${given} is not known`, 'Use utf-8, latin-1 or windows-1252.')
}
