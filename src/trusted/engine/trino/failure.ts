import { problem, type ReticentError } from '../../../schema/index.ts'
import { OwnersError, unreadable } from '../sql/index.ts'

/** A statement that Trino refused or gave up. Its message may quote data and is not kept; its name and number say what it was. */
export class TrinoFailure extends Error {
  readonly errorName: string
  readonly errorCode: number
  readonly errorType: string

  constructor({ errorName, errorCode, errorType }: { errorName: string; errorCode: number; errorType: string }) {
    // A name is one of Trino's own; anything else that stands there is not passed on.
    super(/^[A-Z][A-Z0-9_]{2,80}$/.test(errorName) ? errorName : 'UNKNOWN')
    this.errorName = this.message
    this.errorCode = Number.isSafeInteger(errorCode) ? errorCode : -1
    this.errorType = errorType
  }
}

const missing: { readonly [name: string]: string } = {
  TABLE_NOT_FOUND: 'the table that the policy names does not exist',
  SCHEMA_NOT_FOUND: 'the schema that the policy names does not exist',
  CATALOG_NOT_FOUND: 'the catalog that the policy names does not exist',
}

/** What is wrong with a statement or with rights, whatever the records are. */
const structural: { readonly [name: string]: string } = {
  PERMISSION_DENIED: 'the user may not read the table',
  SYNTAX_ERROR: 'Trino cannot read the `sql:` of the policy',
  COLUMN_NOT_FOUND: 'the `sql:` of the policy names a column that does not exist',
  FUNCTION_NOT_FOUND: 'the `sql:` of the policy calls a function that does not exist',
  TYPE_MISMATCH: 'a column has a type that cannot be read as the policy says',
  NOT_SUPPORTED: 'Trino cannot do this with the table of the policy',
  QUERY_TEXT_TOO_LARGE: 'the statement for Trino is too long',
  INVALID_SESSION_PROPERTY: 'Trino does not accept a setting under `session:`, or its value',
}

const hints: { readonly [name: string]: string } = {
  EXCEEDED_TIME_LIMIT: 'Let its owner raise query_max_run_time under `session:`.',
  QUERY_TEXT_TOO_LARGE: 'List fewer values, or raise query.max-length on the server.',
  PERMISSION_DENIED:
    'It needs SELECT on the table and, for an Iceberg table, on its "$refs". A token must be this user’s own.',
  TYPE_MISMATCH: 'Convert it in an `sql:` of the policy.',
}

/** A failure in our words, with Trino's name and number of it. */
export function translated({ errorName, errorCode, errorType }: TrinoFailure): ReticentError {
  const facts = { trino: errorName, trinoCode: errorCode }
  const hint = hints[errorName]
  const said = (what: string) => `${what} (Trino: ${errorName} ${errorCode})`
  if (errorName in missing) return problem('source-missing', said(missing[errorName]!), hint, facts)
  if (errorName in structural) return unreadable(said(structural[errorName]!), hint, facts)
  // Such as a cast that fails in an owner's view: which one it was depends on the records.
  if (errorType === 'USER_ERROR' && !(errorName in hints))
    return new OwnersError(said('Trino cannot compute the source'), 'Does its `sql:` fail on some record?', facts)
  return problem(
    'engine-failed',
    said('Trino gave up the statement'),
    hint ?? 'Ask its administrator, and try again.',
    facts,
  )
}

export const unreachable = () =>
  problem(
    'engine-failed',
    'the Trino server cannot be reached, or the connection broke',
    'Is it running, and is its address right, with http or https and the port?',
  )

export const tooLong = (milliseconds: number) =>
  problem(
    'engine-failed',
    `the Trino server was not done with a statement after ${Math.ceil(milliseconds / 60_000)} minutes`,
    hints.EXCEEDED_TIME_LIMIT,
  )

export const notTrusted = () =>
  unreadable(
    'the certificate of the Trino server is not trusted',
    'Name its certificate authority with `ca:` in the policy.',
  )

export const anotherHost = () =>
  unreadable('the certificate of the Trino server is for another host', 'Name the server as its certificate does.')

export const unauthorized = () =>
  unreadable(
    'the Trino server does not accept the user, the password or the token',
    'Are they right, and set in the environment?',
  )

export const unexpected = (status: number) =>
  problem(
    'engine-failed',
    `the Trino server gave an answer that is not part of its protocol (HTTP ${status})`,
    undefined,
    { status },
  )

export const ledAway = () =>
  problem(
    'engine-failed',
    'the Trino server redirects to another address, which is refused',
    'Behind a proxy, it must know its address: http-server.process-forwarded.',
  )
