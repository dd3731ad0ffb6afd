import type { Client } from 'pg'
import { hashedTexts, type RawRow } from '../chain.ts'
import { corrupt } from '../damage.ts'
import type { Head } from '../ledger.ts'
import type { Encoded } from '../rows/encode.ts'
import { codeOf } from './failure.ts'
import { resultsOf } from './results.ts'

/**
 * All rows after number `after`, and that one's hash, which shows whether the ledger is still the one that we know. Its
 * answers may be long, and are not sent again.
 */
export const rowsSql = (schema: string, after: number): string => {
  const seq = Math.trunc(after)
  const later = (column: string, none: string) => `CASE WHEN seq > ${seq} THEN ${column} ELSE ${none} END AS ${column}`
  return `SELECT seq, at, ${later('body', "''")}, ${later('blob', "''")}, hash FROM ${schema}.rows WHERE seq >= ${seq} ORDER BY seq`
}

/** "Rtct" and its neighbours: PostgreSQL numbers such locks by a pair, and other programs have theirs. */
const aloneNumber = 0x52746375
const moveNumber = 0x52746376

/** Waits for a lock that the session keeps until it ends. */
export const holdSql = (ledger: number): string => `SELECT pg_advisory_lock(${moveNumber}, ${ledger})`

const [fsync, commits] = [`current_setting('fsync')`, `current_setting('synchronous_commit')`]
const durabilitySql = `SELECT ${fsync} AS fsync, ${commits} AS commits`

/**
 * Begins a serialisable transaction and waits for its turn to append, in line. LOCK TABLE takes no snapshot, so what is read
 * after it is what was committed before the lock was had. The lock is on the notes, the one table that our role may lock
 * like this, and of a kind that keeps nobody from reading or writing them.
 */
const turnSql = (schema: string): string =>
  `BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; LOCK TABLE ${schema}.notes IN SHARE UPDATE EXCLUSIVE MODE`

/** A turn, and whether what is committed in it will last. */
export const appendSql = (schema: string): string => `${turnSql(schema)}; ${durabilitySql}`

/**
 * Begins a transaction and waits for the lock on the head file. Statements after it see what was committed before it was had, which
 * is why the isolation level is said: in a stricter one they would see what there was before the wait.
 */
export const aloneSql = (ledger: number): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${aloneNumber}, ${ledger}); ${durabilitySql}`

interface NewRow {
  readonly head: Head
  readonly raw: RawRow
  readonly parent: string | null
}

/**
 * Inserts a row behind the head and commits. `taken`: there is one with its number already, or somebody who does not stand
 * in line has written meanwhile: try again. `headless`: the head is not there. In one message, so that whoever stands in line for the lock waits for one way there and back only.
 */
export async function commitAfter(
  client: Client,
  schema: string,
  { head, raw: { seq, at, body, blob, hash }, parent }: NewRow,
): Promise<'done' | 'taken' | 'headless'> {
  const text = (value: string) => client.escapeLiteral(value)
  const values = [seq, text(at), text(body), blobSql(blob), text(hash), parent === null ? 'NULL' : text(parent)]
  const isThere = `EXISTS (SELECT FROM ${schema}.rows WHERE seq = ${head.seq} AND hash = ${text(head.hash)})`
  try {
    const [inserted] = await resultsOf(
      client,
      `INSERT INTO ${schema}.rows (seq, at, body, blob, hash, parent) SELECT ${values.join(', ')} WHERE ${isThere}; COMMIT`,
      'INSERT',
      'COMMIT',
    )
    return inserted!.rowCount === 1 ? 'done' : 'headless'
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/** Whether somebody who does not stand in line has written meanwhile. */
function isTaken(error: unknown): boolean {
  const [code, { constraint }] = [codeOf(error), error as { constraint?: string }]
  return code === '40001' || (code === '23505' && constraint === 'rows_pkey')
}

/** A row that is to come last, wherever that is. */
interface LastRow {
  /** The newest row that is known here. */
  readonly head: Head
  /** The reservation that it answers. */
  readonly reserve: number
  readonly at: string
  readonly encoded: Encoded
}

/** Kinds of rows that end no reservation but the one that they answer. */
const harmlessKinds = `'reserve', 'record', 'refine', 'void', 'run-open', 'run-close', 'cap', 'guards'`

/**
 * Puts the answer to a reservation behind whatever others have appended, and commits, in one message: nobody waits for this
 * process. The server reads the number and the hash of the last row, and hashes as `linkRow` does. Undefined, and nothing
 * written, where the head is not there, a later row may have ended the reservation, or a commit could be lost.
 */
export async function commitLast(
  client: Client,
  schema: string,
  { head, reserve, at, encoded: { body, blob } }: LastRow,
): Promise<{ readonly found: RawRow[]; readonly appended: Head } | undefined> {
  const text = (value: string) => client.escapeLiteral(value)
  const hashed = `convert_to(hash || ':' || seq + 1 || ${text(`:${hashedTexts(at, body, blob)}`)}, 'UTF8') || bytes`
  const isHarmless = `body::json ->> 'kind' IN (${harmlessKinds}) AND body::json ->> 'reserve' IS DISTINCT FROM '${reserve}'`
  const conditions = [
    `seq = (SELECT max(seq) FROM ${schema}.rows)`,
    `EXISTS (SELECT FROM ${schema}.rows WHERE seq = ${head.seq} AND hash = ${text(head.hash)})`,
    `NOT EXISTS (SELECT FROM ${schema}.rows WHERE seq > ${head.seq} AND (${isHarmless}) IS NOT TRUE)`,
    `${fsync} = 'on' AND ${commits} <> 'off'`,
  ]
  const insert = `INSERT INTO ${schema}.rows (seq, at, body, blob, hash)
    SELECT seq + 1, ${text(at)}, ${text(body)}, bytes, encode(sha256(${hashed}), 'hex')
    FROM ${schema}.rows, (SELECT ${blobSql(blob)}) AS given (bytes) WHERE ${conditions.join(' AND ')} RETURNING seq, hash`
  const message = `${turnSql(schema)}; ${rowsSql(schema, head.seq)}; ${insert}; COMMIT`
  try {
    const [, , read, inserted] = await resultsOf(client, message, 'BEGIN', 'LOCK', 'SELECT', 'INSERT', 'COMMIT')
    const [last] = inserted!.rows as { seq: unknown; hash: unknown }[]
    return last && { found: read!.rows.map(rawRow), appended: { seq: Number(last.seq), hash: String(last.hash) } }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (isTaken(error) || unable.test(codeOf(error))) return undefined
    throw error
  }
}

/**
 * What only this message asks of a server: to read JSON, which may have \u0000 or half of a surrogate pair in a text (22) or be
 * nested too deeply for it (54), and to hash, which it may not know or not let our role do (0A, 42).
 */
const unable = /^(0A|22|42|54)/

const blobSql = (blob: Uint8Array): string => `decode('${bytes(blob).toString('hex')}', 'hex')`

/** `pg` knows Node's own kind of bytes only. */
export const bytes = (blob: Uint8Array): Buffer => Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)

/** PostgreSQL keeps types, but somebody else may have made the table. Big integers come as text. */
export function rawRow(found: object): RawRow {
  const { seq, at, body, blob, hash } = found as { [column in keyof RawRow]: unknown }
  const texts = typeof at === 'string' && typeof body === 'string' && typeof hash === 'string'
  if (!texts || !(blob instanceof Uint8Array)) throw corrupt('a row has lost its form')
  return { seq: Number(seq), at, body, blob: new Uint8Array(blob.buffer, blob.byteOffset, blob.byteLength), hash }
}
