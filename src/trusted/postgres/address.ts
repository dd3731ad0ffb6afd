import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ReticentError } from '../../schema/index.ts'
import type { TlsWishes } from './tls.ts'

/** Where a PostgreSQL is and as whom to go there. What is undefined is left to the variables that libpq knows, too. */
interface Address {
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  readonly password?: string
  /** Seconds to wait for a connection. */
  readonly patience: number
  readonly tls: TlsWishes
}

const invalid = (message: string, hint?: string) => new ReticentError('policy-invalid', {}, { message, hint })

const parameters = 'host port user password dbname sslmode sslrootcert sslcert sslkey connect_timeout'.split(' ')
const ignored = ['application_name', 'gssencmode', 'target_session_attrs']
const defaultPatience = 10

/** The address that a URL or `env:NAME` stands for; nothing of it is ever part of an error, since it may hold a password. */
export function addressOf(url: string): Address {
  const text = url.startsWith('env:') ? fromEnvironment(url.slice(4)) : url
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw invalid('the address of the PostgreSQL server is not a URL', 'Write postgresql://user@host:5432/database.')
  const { hostname, port, username, password, pathname, searchParams } = new URL(text)
  const unknown = [...searchParams.keys()].find((key) => !parameters.includes(key) && !ignored.includes(key))
  if (unknown) throw invalid('the address of the PostgreSQL server has an unknown parameter', knownParameters)
  const given = (inUrl: string, key: string) => decoded(inUrl) || searchParams.get(key) || undefined
  const { PGCONNECT_TIMEOUT, PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY } = process.env
  const at = given(port, 'port')
  return {
    host: given(hostname.replace(/^\[(.*)\]$/, '$1'), 'host'),
    port: at === undefined ? undefined : Number(at),
    user: given(username, 'user'),
    database: given(pathname.slice(1), 'dbname'),
    password: given(password, 'password'),
    patience: Number(searchParams.get('connect_timeout') ?? PGCONNECT_TIMEOUT) || defaultPatience,
    tls: {
      mode: searchParams.get('sslmode') ?? PGSSLMODE ?? 'prefer',
      root: searchParams.get('sslrootcert') ?? PGSSLROOTCERT,
      certificate: searchParams.get('sslcert') ?? PGSSLCERT,
      key: searchParams.get('sslkey') ?? PGSSLKEY,
    },
  }
}

const knownParameters = `Known are ${parameters.join(', ')}.`

function fromEnvironment(name: string): string {
  const text = process.env[name]
  if (text) return text
  throw invalid(`the variable ${name}, which the policy names, is not set`, `Set ${name} to postgresql://….`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid('the address of the PostgreSQL server is not a URL', 'Write a % in it as %25.')
  }
}

/** What the password file says, as libpq reads it: a file that others may read counts as none. */
export async function filedPassword(to: {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}): Promise<string | undefined> {
  if (await hasExposedPasswords()) return undefined
  const text = await readFile(passwordFile(), 'utf8').catch(() => '')
  const host = to.host.startsWith('/') ? 'localhost' : to.host
  const wanted = [host, String(to.port), to.database, to.user]
  for (const line of text.split(/\r?\n/)) {
    const fields = line.startsWith('#') ? [] : fieldsOf(line)
    if (fields.length >= 5 && wanted.every((value, i) => fields[i] === '*' || fields[i] === value)) return fields[4]
  }
  return undefined
}

/** Whether there is a password file, but others may read it. */
export async function hasExposedPasswords(): Promise<boolean> {
  const found = await stat(passwordFile()).catch(() => undefined)
  return process.platform !== 'win32' && found !== undefined && (found.mode & 0o077) !== 0
}

const passwordFile = () => process.env.PGPASSFILE ?? join(homedir(), '.pgpass')

/** Colons part the fields; a backslash takes the next character as it is. */
function fieldsOf(line: string): string[] {
  const fields = ['']
  for (let i = 0; i < line.length; i++) {
    if (line[i] === ':') fields.push('')
    else fields[fields.length - 1] += line[i] === '\\' && i + 1 < line.length ? line[++i] : line[i]
  }
  return fields
}
