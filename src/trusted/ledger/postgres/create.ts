import type { Client } from 'pg'
import { usage } from '../../../schema/index.ts'
import type { RawRow } from '../chain.ts'
import { type Contents, type LastRows, newContents, parentOf } from '../contents.ts'
import type { Ledger } from '../ledger.ts'
import type { Create } from '../rows/row.ts'
import { connect, type PostgresPlace, placeName } from './connection.ts'
import { codeOf, exists, explain } from './failure.ts'
import { openPostgresLedger, type PostgresOptions, systemClock } from './open.ts'
import { resultsOf, rowsOf } from './results.ts'
import { mayChange, requireServer } from './standing.ts'
import { bytes } from './statements.ts'
import { grantsSql, quoted, tablesSql } from './tables.ts'

/** Makes a ledger that the role in the policy's address can read and add to; `owner` is the address of another role, who owns it. */
export async function createPostgresLedger(
  place: PostgresPlace,
  row: Create,
  secret: Uint8Array,
  { owner, ...options }: PostgresOptions & { readonly owner?: string } = {},
): Promise<Ledger> {
  const contents = newContents(row, secret, (options.clock ?? systemClock)().toISOString())
  await makePostgresLedger(place, contents, { owner })
  return openPostgresLedger(place, options)
}

/** Schema, tables, rights and rows appear in one transaction, whole or not at all; after `lastRows`. */
export const makePostgresLedger = (
  place: PostgresPlace,
  contents: Contents,
  { owner, lastRows }: { readonly owner?: string; readonly lastRows?: LastRows },
): Promise<void> =>
  asOwner(place, owner, async (client, role) => {
    await begin(client, place.schema, role)
    await client.query(`INSERT INTO ${quoted(place.schema)}.secrets VALUES ($1)`, [bytes(contents.secret)])
    await insertAll(client, place.schema, contents.rows)
    if (lastRows) await insertAll(client, place.schema, await lastRows())
    await resultsOf(client, 'COMMIT', 'COMMIT')
  })

/** Throws where a ledger cannot be made: schema, tables and rights are made, and undone. */
export const rehearsePostgresLedger = (place: PostgresPlace, owner: string | undefined): Promise<void> =>
  asOwner(place, owner, async (client, role) => {
    await begin(client, place.schema, role)
    await resultsOf(client, 'ROLLBACK', 'ROLLBACK')
  })

async function asOwner(
  place: PostgresPlace,
  owner: string | undefined,
  work: (client: Client, role: string) => Promise<void>,
): Promise<void> {
  if (owner === undefined) throw ownerNeeded()
  const name = placeName(place)
  const asRole = await connect(place.url, name)
  try {
    const client = await connect(owner, name)
    try {
      await work(client, await requireRole(asRole, client, place.schema, name))
    } finally {
      await client.end().catch(() => {})
    }
  } catch (error) {
    // The second where two make it at once.
    throw /^(42P06|23505)$/.test(codeOf(error)) ? exists(name) : explain(error, name)
  } finally {
    await asRole.end().catch(() => {})
  }
}

/** Throws unless both are on the same database and the role will have no more rights than it is given. */
async function requireRole(asRole: Client, owners: Client, schema: string, name: string): Promise<string> {
  const { role, rows } = await requireServer(asRole, schema, name)
  const { role: owner } = await requireServer(owners, schema, name)
  if (rows !== null) throw exists(name)
  const where = `SELECT pg_postmaster_start_time()::text || ' ' || current_database() AS here`
  const [here, there] = await Promise.all([asRole, owners].map((c) => rowsOf<{ here: string }>(c, where, 'here')))
  if (here![0]?.here !== there![0]?.here) throw usage("the owner's address is of another database than the ledger's")
  const mighty = `SELECT pg_has_role($1::name, 'MEMBER') OR pg_has_role(session_user, $1::name, 'MEMBER') AS yes`
  const [may] = await rowsOf<{ yes: boolean }>(asRole, { text: mighty, values: [owner] }, 'yes')
  if (may?.yes !== false) throw mayChange(name, role)
  return role
}

const begin = (client: Client, schema: string, role: string) =>
  client.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${tablesSql(schema)}; ${grantsSql(schema, role)}`)

async function insertAll(client: Client, schema: string, rows: readonly RawRow[]): Promise<void> {
  const text = `INSERT INTO ${quoted(schema)}.rows (seq, at, body, blob, hash, parent) VALUES ($1, $2, $3, $4, $5, $6)`
  for (const raw of rows) {
    const { seq, at, body, blob, hash } = raw
    await client.query({ name: 'row', text, values: [seq, at, body, bytes(blob), hash, parentOf(raw)] })
  }
}

const ownerNeeded = () =>
  usage(
    'a ledger in PostgreSQL must be owned by a role other than the one that Reticent runs as, so that no row can be changed',
    'Give the address of a role that may create a schema: --owner env:NAME, or --owner postgresql://…',
  )
