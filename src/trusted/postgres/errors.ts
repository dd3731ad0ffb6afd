import { type ErrorCode, problem, ReticentError } from '../../schema/index.ts'

type Told = readonly [code: ErrorCode, message: string, hint: string]

const unreachable: Told = [
  'source-missing',
  'the PostgreSQL server cannot be reached',
  'Is it running, and are host and port right?',
]
const lost: Told = [
  'engine-failed',
  'the connection to PostgreSQL was lost',
  'The server may have been stopped; ask again when it is back.',
]
const untrusted: Told = [
  'source-unreadable',
  'the identity of the PostgreSQL server could not be verified',
  'sslmode verifies its certificate by sslrootcert; verify-full needs the host’s name in it.',
]
const exhausted: Told = ['engine-failed', 'the PostgreSQL server lacks memory, disk space or connections', '']

/** By the codes of PostgreSQL (SQLSTATE, whole or its first two characters), of Node and of OpenSSL. */
const told: { readonly [code: string]: Told } = {
  '28': [
    'source-unreadable',
    'PostgreSQL refused the user or the password',
    'The password is that of the URL in a variable, else PGPASSWORD, else that of the password file (~/.pgpass).',
  ],
  '3D000': ['source-missing', 'the PostgreSQL server has no such database', 'Its name follows the host: …/name.'],
  '3F000': ['source-missing', 'the database has no such schema', ''],
  '42P01': ['source-missing', 'the database has no such table, or this user cannot see it', ''],
  '42501': [
    'source-unreadable',
    'the database user may not read the source',
    'Its owner can GRANT SELECT on it; if row-level security would hide rows, the user needs BYPASSRLS.',
  ],
  '57014': [
    'engine-failed',
    'PostgreSQL stopped a statement: it took longer than the policy’s `timeout:`, or somebody cancelled it',
    'Allow more seconds with `timeout:` in the policy’s source.',
  ],
  '57P03': unreachable,
  '57': lost,
  '08': lost,
  '25P03': lost,
  '53': exhausted,
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: unreachable,
  EACCES: unreachable,
  ECONNRESET: lost,
  EPIPE: lost,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  INVALID_CA: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

const noPassword = /password/

/** Whether the server asked for a password when there was none: the driver then gives up by itself. */
export const asksForPassword = (error: unknown): boolean =>
  error instanceof Error && !('code' in error) && noPassword.test(error.message)

/** What the driver says without a code. */
const withoutCode: readonly [RegExp, Told][] = [
  [/timeout expired/, unreachable],
  [/terminated|not queryable|was closed/, lost],
  [
    /SSL/,
    [
      'source-unreadable',
      'the PostgreSQL server does not support TLS',
      'Only sslmode=disable, allow and prefer work without it.',
    ],
  ],
  [noPassword, ['source-unreadable', 'PostgreSQL asks for a password, and there is none', passwords()]],
]

function passwords(): string {
  return 'Set PGPASSWORD, add a line to the password file (~/.pgpass), or keep the whole URL in a variable: env:NAME.'
}

/**
 * What a failure of PostgreSQL's comes to, in our own words: its text may quote a value of the data, a statement or a
 * password, so not a word of it goes on. Undefined for what is not known.
 */
export function postgresFailure(error: unknown): ReticentError | undefined {
  if (error instanceof ReticentError) return error
  // Several addresses of one host that all fail come as one error.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { code, message } = (first ?? {}) as { code?: unknown; message?: unknown }
  const key = String(code ?? '')
  const found =
    told[key] ?? told[key.slice(0, 2)] ?? (key === '' && withoutCode.find(([is]) => is.test(String(message)))?.[1])
  return found ? problem(found[0], found[1], found[2] || undefined) : undefined
}
