import { readFileSync } from 'node:fs'
import { problem, type ReticentError, type Source } from '../../../schema/index.ts'

export type TrinoSource = Extract<Source, { kind: 'trino' }>

/** Where a server is and what every request tells it. Holds secrets: nothing of it is ever printed. */
export interface Connection {
  readonly server: URL
  readonly headers: Readonly<Record<string, string>>
  /** Certificates, in PEM, of those who may vouch for the server; the system's where there are none. */
  readonly ca?: string
  /** So many milliseconds after it was sent, a statement is given up, whatever the server says. */
  readonly longest: number
}

const wrong = (message: string, hint?: string): ReticentError => problem('source-unreadable', message, hint)

/** What stands in a variable of the environment, where the policy says `env:NAME`; anything else as it is. */
function fromEnvironment(text: string): string {
  const name = /^env:(.+)$/.exec(text)?.[1]
  if (name === undefined) return text
  const value = process.env[name]
  if (value) return value
  throw wrong(`the policy needs ${name} from the environment, and it is not set`, `Run: export ${name}=…`)
}

function serverOf(source: TrinoSource): URL {
  const text = fromEnvironment(source.url)
  // What is wrong with a URL from the environment is not said: it may hold a password.
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw wrong('the address of the Trino server is not a URL', 'It looks like https://user@host:8443.')
  return new URL(text)
}

function certificates(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch {
    // Said below.
  }
  throw wrong(`${path} cannot be read as certificates`, 'The policy names them with `ca:`; they are written in PEM.')
}

/** Reads the secrets that a policy names and puts together what requests need. */
export function connectionTo(source: TrinoSource): Connection {
  const given = serverOf(source)
  const password = source.password === undefined ? decodeURIComponent(given.password) : fromEnvironment(source.password)
  const token = source.token === undefined ? '' : fromEnvironment(source.token)
  const user = decodeURIComponent(given.username)
  if (!isLatin1(`${user}${password}`))
    throw wrong('the user or the password for Trino has a character outside of Latin-1', 'Trino reads no others.')
  if (!/^[!-~]*$/.test(token))
    throw wrong('the token for Trino has a character that no token has', 'Is it all of it, on one line?')
  if (user === '' && token === '') throw wrong('the Trino server needs a user', 'Write it as https://user@host:8443.')
  if ((password || token) && given.protocol !== 'https:')
    throw wrong('a password or token is only sent over https', 'Use https:// in the address of the Trino server.')
  return {
    server: new URL(given.origin),
    headers: { ...requestHeaders(source, user), ...authorization(user, password, token) },
    longest: longestOf(source.session?.query_max_run_time),
    ...(source.ca !== undefined && { ca: certificates(source.ca) }),
  }
}

const minute = 60_000
const inMilliseconds: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: minute,
  h: 60 * minute,
  d: 1440 * minute,
}
/** Timers have 31 bits. */
const longestTimer = 2 ** 31 - 1

/**
 * The server enforces `query_max_run_time` by itself, so it has a minute more to say so. Without it, a server with a fault could let its
 * statements run for ever, and with them whoever asked.
 */
function longestOf(stated = '1h'): number {
  const [, number = '1', unit = 'h'] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*$/.exec(stated) ?? []
  return Math.min(Math.ceil(Number(number) * inMilliseconds[unit]!) + minute, longestTimer)
}

/** What one byte holds, but for control characters. */
const isLatin1 = (text: string) => /^[ -~\u00a0-\u00ff]*$/.test(text)

/** Trino takes the bytes for Latin-1, as its own clients do: in UTF-8, a password with an umlaut would be a wrong one. */
function authorization(user: string, password: string, token: string): Record<string, string> {
  if (token) return { Authorization: `Bearer ${token}` }
  if (password) return { Authorization: `Basic ${Buffer.from(`${user}:${password}`, 'latin1').toString('base64')}` }
  return {}
}

function requestHeaders({ catalog, schema, session = {} }: TrinoSource, user: string): Record<string, string> {
  const properties = Object.entries(session).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return {
    ...(user && { 'X-Trino-User': user }),
    'X-Trino-Source': 'reticent',
    'X-Trino-Catalog': encodeURIComponent(catalog),
    'X-Trino-Schema': encodeURIComponent(schema),
    'X-Trino-Time-Zone': 'UTC',
    // Without it, times are cut to milliseconds and their types lose their precision.
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    ...(properties.length > 0 && { 'X-Trino-Session': properties.join(',') }),
  }
}
