import type { Database, Statement } from 'better-sqlite3'
import { genesis, type RawRow, readChain } from '../chain.ts'
import { corrupt } from '../damage.ts'
import type { Append, Head, Ledger, StoredRow } from '../ledger.ts'
import { rolledBack } from '../receipt.ts'
import type { Row } from '../rows/row.ts'
import { prepareRow, sameHead, Tail } from '../tail.ts'
import { explain } from './failure.ts'
import { requireFile } from './file.ts'
import { insertRow, rowsAfter } from './tables.ts'

/**
 * A ledger in one SQLite file. Several processes may use it at once: an append is one immediate transaction that looks
 * at the head, checks and writes, and SQLite lets one such through at a time.
 */
export class SqliteLedger implements Ledger {
  readonly #database: Database
  readonly #file: string
  readonly #clock: () => Date
  readonly #tail = new Tail()
  readonly #rowsAfter: Statement<[number], unknown>
  readonly #hashOf: Statement<[number], string>
  readonly #insert: Statement<[RawRow & { parent: string | null }]>

  /** `file` says which file the database was opened on. */
  constructor(database: Database, file: string, clock: () => Date) {
    this.#database = database
    this.#file = file
    this.#clock = clock
    this.#rowsAfter = database.prepare(rowsAfter)
    this.#hashOf = database.prepare<[number], string>('SELECT hash FROM rows WHERE seq = ?').pluck()
    this.#insert = database.prepare(insertRow)
  }

  async read(after: number, known?: 'known'): Promise<StoredRow[]> {
    const read = this.#tail.rowsAfter(after)
    const from = read ? this.#tail.head.seq : after
    const rows =
      read && known ? [] : this.#explained(() => this.#database.transaction(() => this.#read(from)).deferred())
    const all = read ? [...read, ...rows] : rows
    this.#tail.forget(all.at(-1)?.seq ?? after)
    return all
  }

  async append(row: Row, expect?: Head): Promise<StoredRow | undefined> {
    const ready = prepareRow(row)
    return this.#explained(() => {
      // Reading what others wrote may take a while; only what little came since is read again under the lock.
      this.#database.transaction(() => this.#catchUp()).deferred()
      const stored = this.#database
        .transaction(() => {
          requireFile(this.#database.name, this.#file)
          this.#catchUp()
          if (expect && !sameHead(expect, this.#tail.head)) return undefined
          const { raw, stored } = this.#tail.next(ready.row, ready.encoded, this.#clock().toISOString())
          this.#insert.run({ ...raw, parent: row.kind === 'refine' ? row.parent : null })
          return stored
        })
        .immediate()
      // Only now is it in the file.
      if (stored) this.#tail.follow(stored, 'unread')
      return stored
    })
  }

  inTurn<T>(work: (append: Append) => Promise<T>): Promise<T> {
    return work((row, expect) => this.append(row, expect))
  }

  async secret(): Promise<Uint8Array> {
    const keys = this.#explained(() => this.#database.prepare<[], unknown>('SELECT key FROM secrets').pluck().all())
    if (keys.length !== 1 || !(keys[0] instanceof Uint8Array)) throw corrupt('its key is missing')
    return Uint8Array.from(keys[0])
  }

  async note(name: string): Promise<string | undefined> {
    const query = 'SELECT value FROM notes WHERE name = ?'
    return this.#explained(() => this.#database.prepare<[string], string>(query).pluck().get(name))
  }

  async setNote(name: string, value: string): Promise<void> {
    this.#explained(() => this.#database.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(name, value))
  }

  async alone<T>(work: (has: (head: Head) => boolean) => T, before?: () => Promise<void>): Promise<T> {
    await before?.()
    return this.#explained(() =>
      this.#database
        .transaction(() => {
          requireFile(this.#database.name, this.#file)
          return work(({ seq, hash }) => this.#hashOf.get(seq) === hash)
        })
        .immediate(),
    )
  }

  async close(): Promise<void> {
    this.#explained(() => {
      tidy(this.#database)
      this.#database.close()
    })
  }

  #read(after: number, kept?: 'unread'): StoredRow[] {
    const { head } = this.#tail
    const hash = after === 0 ? genesis.hash : this.#hashOf.get(after)
    if (after === head.seq && hash !== head.hash) throw rolledBack(head)
    if (hash === undefined) return []
    const rows = readChain(this.#rowsAfter.all(after).map(rawRow), { seq: after, hash })
    if (after === 0 && rows.length === 0) throw corrupt('it has no rows')
    if (after === head.seq) for (const row of rows) this.#tail.follow(row, kept)
    return rows
  }

  /** Follows what other processes have appended. */
  #catchUp(): void {
    this.#read(this.#tail.head.seq, 'unread')
  }

  #explained<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw explain(error, this.#database.name)
    }
  }
}

/** SQLite trusts the types that it finds in a file; a damaged one may have others. */
export function rawRow(found: unknown): RawRow {
  const { seq, at, body, blob, hash } = found as { [column in keyof RawRow]: unknown }
  const texts = typeof at === 'string' && typeof body === 'string' && typeof hash === 'string'
  if (!texts || typeof seq !== 'number' || !(blob instanceof Uint8Array)) throw corrupt('a row has lost its form')
  return { seq, at, body, blob, hash }
}

/** Takes away the empty journal that stands beside the file while it is in use, unless somebody else needs it. */
function tidy(database: Database): void {
  try {
    database.pragma('journal_mode = DELETE')
  } catch {
    // An empty journal does no harm.
  }
}
