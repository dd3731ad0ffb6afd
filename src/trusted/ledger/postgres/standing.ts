import type { Client } from 'pg'
import { ReticentError } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'
import { missing, unsafe } from './failure.ts'
import { rowsOf } from './results.ts'
import { tablesVersion } from './tables.ts'

/**
 * What has to be known before a server is trusted with a budget. Who owns a schema may drop the tables in it, whosever they are. Rights
 * count that a `SET ROLE` would give, and those of whoever logged in: a `RESET ROLE` returns to them.
 */
const standingSql = `
  SELECT pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
    current_setting('server_encoding') AS encoding, current_user AS role, t.oid::bigint::text AS rows, t.relpersistence AS kept,
    EXISTS (SELECT FROM pg_catalog.pg_roles r
      WHERE (pg_has_role(r.oid, 'MEMBER') OR pg_has_role(session_user, r.oid, 'MEMBER'))
        AND (has_table_privilege(r.oid, t.oid, 'DELETE, TRUNCATE') OR has_any_column_privilege(r.oid, t.oid, 'UPDATE')
          OR r.oid IN (t.relowner, s.nspowner))) AS changes
  FROM (VALUES ($1::text)) AS wanted (schema)
  LEFT JOIN pg_catalog.pg_namespace s ON s.nspname = wanted.schema
  LEFT JOIN pg_catalog.pg_class t ON t.relnamespace = s.oid AND t.relname = 'rows' AND t.relkind = 'r'`

interface Standing {
  readonly replica: boolean
  readonly fsync: string
  readonly commits: string
  readonly encoding: string
  readonly role: string
  readonly rows: string | null
  readonly kept: string | null
  readonly changes: boolean
}

/** What decides whether a commit survives a power cut. */
export type Durability = Pick<Standing, 'fsync' | 'commits'>

/** Throws unless a commit survives a power cut there. Settings can be reloaded at any time, so every append looks again. */
export function requireDurable({ fsync, commits }: Durability, place: string): void {
  const setting = fsync !== 'on' ? 'fsync' : commits === 'off' ? 'synchronous_commit' : undefined
  if (setting) throw unsafe(place, `${setting} is off`, `Set ${setting} = on: charges must survive a power cut.`)
}

/** Throws unless a ledger could be kept on this server; gives the role that we are there. */
export async function requireServer(client: Client, schema: string, place: string): Promise<Standing> {
  const [found] = await rowsOf<Standing>(client, { text: standingSql, values: [schema] }, 'replica')
  const standing = found!
  if (standing.replica)
    throw unsafe(place, 'the server is a read-only copy of another', 'Connect to the primary server.')
  requireDurable(standing, place)
  if (standing.encoding !== 'UTF8')
    throw unsafe(place, `the database is in ${standing.encoding}`, 'Make a database with ENCODING UTF8 for ledgers.')
  return standing
}

/** Throws unless there is a ledger that we can read and this role cannot change. Gives a number that is its own in the database. */
export async function requireLedger(client: Client, schema: string, place: string): Promise<number> {
  const { rows, kept, changes, role } = await requireServer(client, schema, place)
  if (rows === null) throw missing(place)
  if (kept !== 'p') throw unsafe(place, 'its table is not logged', 'ALTER TABLE rows SET LOGGED, as its owner.')
  if (changes) throw mayChange(place, role)
  await requireVersion(client, schema, place)
  return Number(rows) | 0
}

async function requireVersion(client: Client, schema: string, place: string): Promise<void> {
  const found = await rowsOf<{ version: number }>(
    client,
    `SELECT version FROM ${client.escapeIdentifier(schema)}.format`,
    'version',
  )
  if (found.length !== 1) throw corrupt(`${place} does not say its version`, { place })
  const [{ version } = { version: 0 }] = found
  if (version === tablesVersion) return
  throw new ReticentError(
    'not-supported',
    { place, version },
    {
      message: 'the ledger was written by another version of Reticent',
      hint: 'Use the version that wrote it, or a later one.',
    },
  )
}

export const mayChange = (place: string, role: string) =>
  unsafe(
    place,
    `the role ${role} may change or delete rows`,
    `Let Reticent run as a role of its own: CREATE ROLE reticent LOGIN PASSWORD '…', named in the policy's address. Another role owns the ledger and creates it: reticent ledger create --owner env:NAME.`,
  )
