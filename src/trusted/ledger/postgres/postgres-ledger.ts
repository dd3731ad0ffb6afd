import type { Client } from 'pg'
import { genesis, linkRow, type RawRow, readChain } from '../chain.ts'
import { corrupt } from '../damage.ts'
import type { Append, Head, Ledger, StoredRow } from '../ledger.ts'
import { rolledBack } from '../receipt.ts'
import type { Row } from '../rows/row.ts'
import { prepareRow, sameHead, Tail } from '../tail.ts'
import { Connection, type PostgresPlace, placeName } from './connection.ts'
import { busy } from './failure.ts'
import { resultsOf, rowsOf } from './results.ts'
import { type Durability, requireDurable, requireLedger } from './standing.ts'
import { aloneSql, appendSql, commitAfter, commitLast, rawRow, rowsSql } from './statements.ts'
import { quoted } from './tables.ts'

/** So often a row is put behind a head that somebody who does not take the lock has moved. */
const mostTries = 20

interface Transaction {
  readonly client: Client
  isOpen: boolean
}

/**
 * A ledger in a schema of PostgreSQL. Any number of processes on any machines may use it at once. `seq` is a primary key, so
 * of two that append after the same head one is let through, whatever else happens. That they do not have to try
 * again and again they stand in line for a lock, which lasts until the row is committed.
 */
export class PostgresLedger implements Ledger {
  readonly #place: string
  readonly #schema: string
  readonly #clock: () => Date
  readonly #tail = new Tail()
  /** Of all rows up to the tail's head. */
  readonly #hashes: string[] = []
  readonly #reader: Connection
  /** One transaction at a time. */
  readonly #writer: Connection
  /** Whether a turn is on: then there are no rows behind the tail's head. */
  #isTurn = false
  /** The ledger's number in its database, for its locks. */
  #number = 0

  constructor(place: PostgresPlace, clock: () => Date) {
    this.#place = placeName(place)
    this.#schema = quoted(place.schema)
    this.#clock = clock
    const prepare = async (client: Client) => {
      this.#number = await requireLedger(client, place.schema, this.#place)
    }
    this.#reader = new Connection(place, this.#place, prepare)
    this.#writer = new Connection(place, this.#place, prepare)
  }

  /** Connects now rather than at the first use, so that what is wrong shows. */
  async open(): Promise<this> {
    await this.#reader.use(async () => {})
    return this
  }

  async read(after: number, known?: 'known'): Promise<StoredRow[]> {
    const { head } = this.#tail
    const read = this.#tail.rowsAfter(after)
    const isEnough = read && (known || this.#isTurn)
    const rows = isEnough ? read : [...(read ?? []), ...(await this.#readAfter(read ? head.seq : after, head))]
    this.#tail.forget(rows.at(-1)?.seq ?? after)
    return rows
  }

  async #readAfter(after: number, head: Head): Promise<StoredRow[]> {
    const found = await this.#reader.use((client) => rowsOf(client, rowsSql(this.#schema, after), 'seq'))
    return this.#take(found.map(rawRow), after, head)
  }

  async append(row: Row, expect?: Head): Promise<StoredRow | undefined> {
    if (!expect && (row.kind === 'record' || row.kind === 'void')) {
      const stored = await this.#appendLast(row)
      if (stored) return stored
    }
    for (let tries = 0; tries < mostTries; tries++) {
      const stored = await this.inTurn((append) => append(row, expect))
      if (stored || expect) return stored
    }
    throw busy(this.#place)
  }

  async inTurn<T>(work: (append: Append) => Promise<T>): Promise<T> {
    return this.#locked('append', async (transaction) => {
      this.#isTurn = true
      try {
        return await work((row, expect) => this.#insert(transaction, row, expect))
      } finally {
        this.#isTurn = false
      }
    })
  }

  async secret(): Promise<Uint8Array> {
    const sql = `SELECT key FROM ${this.#schema}.secrets`
    const [secret, ...others] = await this.#reader.use((client) => rowsOf<{ key: unknown }>(client, sql, 'key'))
    if (others.length > 0 || !(secret?.key instanceof Uint8Array)) throw corrupt('its key is missing')
    return Uint8Array.from(secret.key)
  }

  async note(name: string): Promise<string | undefined> {
    const message = { text: `SELECT value FROM ${this.#schema}.notes WHERE name = $1`, values: [name] }
    const [found] = await this.#reader.use((client) => rowsOf<{ value: string }>(client, message, 'value'))
    return found?.value
  }

  async setNote(name: string, value: string): Promise<void> {
    const text = `INSERT INTO ${this.#schema}.notes VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`
    await this.#reader.use((client) => resultsOf(client, { text, values: [name, value] }, 'INSERT'))
  }

  /** Rows are never lost from a ledger that is in order, so others may append meanwhile: only work like this waits. */
  async alone<T>(work: (has: (head: Head) => boolean) => T, before?: () => Promise<void>): Promise<T> {
    return this.#locked('alone', async () => {
      await before?.()
      return work(({ seq, hash }) => this.#hashes[seq - 1] === hash)
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()])
  }

  /** Does work in a transaction that has the lock and has read all rows. What it does not commit itself is undone. */
  #locked<T>(lock: 'append' | 'alone', work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writer.use(async (client) => {
      const transaction = { client, isOpen: true }
      try {
        const { head } = this.#tail
        const [begin, taken] =
          lock === 'append' ? [appendSql(this.#schema), 'LOCK'] : [aloneSql(this.#number), 'SELECT']
        const message = `${begin}; ${rowsSql(this.#schema, head.seq)}`
        const [, , locked, found] = await resultsOf(client, message, 'BEGIN', taken, 'SELECT', 'SELECT')
        requireDurable(locked!.rows[0] as Durability, this.#place)
        this.#take(found!.rows.map(rawRow), head.seq, head, 'unread')
        return await work(transaction)
      } finally {
        if (transaction.isOpen) await client.query('ROLLBACK').catch(() => {})
      }
    })
  }

  /** The answer to a reservation, which fits whatever others buy meanwhile; undefined, and nothing written, where that is not sure. */
  #appendLast(row: Row & { readonly reserve: number }): Promise<StoredRow | undefined> {
    // Now, since the caller may change the row while others are served.
    const [ready, { reserve }] = [prepareRow(row), row]
    return this.#writer.use(async (client) => {
      const { head } = this.#tail
      const at = this.#clock().toISOString()
      if (!this.#tail.fits(ready.row)) return undefined
      const committed = await commitLast(client, this.#schema, { head, reserve, at, ...ready })
      if (!committed) return undefined
      const { found, appended } = committed
      this.#take(found, head.seq, head, 'unread')
      const previous = found.at(-1)!
      const { seq, hash } = linkRow(previous, at, ready.encoded)
      if (!sameHead({ seq, hash }, appended)) throw corrupt('the server has stored another row than it was given')
      const stored = { seq, hash, at, row: ready.row }
      this.#follow(stored, previous, 'unread')
      this.#tail.requireSound()
      return stored
    })
  }

  /** Undefined, and nothing written, where the head is not the expected one or has moved in spite of the lock. */
  async #insert(transaction: Transaction, row: Row, expect: Head | undefined): Promise<StoredRow | undefined> {
    if (!transaction.isOpen) throw new RangeError('one row a turn')
    const ready = prepareRow(row)
    const { head } = this.#tail
    if (expect && !sameHead(expect, head)) return undefined
    const { raw, stored } = this.#tail.next(ready.row, ready.encoded, this.#clock().toISOString())
    const parent = row.kind === 'refine' ? row.parent : null
    const committed = await commitAfter(transaction.client, this.#schema, { head, raw, parent })
    if (committed === 'taken') return undefined
    transaction.isOpen = false
    if (committed === 'headless') throw rolledBack(head)
    // Only now is it in the ledger.
    this.#follow(stored, head, 'unread')
    return stored
  }

  /** The rows after number `after`, of which `found` has that one, too; `head` is the tail's as it was when they were asked for. */
  #take(found: RawRow[], after: number, head: Head, kept?: 'unread'): StoredRow[] {
    const from = after === 0 ? genesis : found[0]?.seq === after ? found[0] : undefined
    if (after === head.seq && from?.hash !== head.hash) throw rolledBack(head)
    if (!from) return []
    const rows = readChain(after === 0 ? found : found.slice(1), from)
    if (after === 0 && rows.length === 0) throw corrupt('it has no rows')
    let previous: Head = from
    for (const row of rows) {
      this.#follow(row, previous, kept)
      previous = row
    }
    return rows
  }

  /** Takes in a row where it is the next one. Another reading may have brought it already. */
  #follow(row: StoredRow, previous: Head, kept: 'unread' | undefined): void {
    const { head } = this.#tail
    if (row.seq !== head.seq + 1) return
    if (previous.hash !== head.hash) throw rolledBack(head)
    this.#tail.follow(row, kept)
    this.#hashes.push(row.hash)
  }
}
