import type { Row } from './rows/row.ts'

/** A place in the chain: the number of the row (from 1) and the hash that covers it and all before it. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

export interface StoredRow extends Head {
  readonly row: Row
  /** When it was written, ISO 8601. */
  readonly at: string
}

export type Append = Ledger['append']

/** An append-only list of rows, each chained to the one before by its hash. One contract suite tests all implementations. */
export interface Ledger {
  /**
   * The rows after number `after`, in order, their chain checked. Throws `ledger-corrupt` when it does not hold. With
   * `known`, rows that were read or written here before are enough, as they are right after an append, and no more are
   * requested.
   */
  read(after: number, known?: 'known'): Promise<StoredRow[]>
  /**
   * Appends a row durably: when this returns, a power cut does not undo it. With `expect`, only if the head is still
   * that one; undefined, and nothing written, when it has moved.
   */
  append(row: Row, expect?: Head): Promise<StoredRow | undefined>
  /**
   * Does work that reads the head and appends one row by `append`. Others may be blocked from appending meanwhile, so
   * it should be short. With many processes, each queues once instead of retrying.
   */
  inTurn<T>(work: (append: Append) => Promise<T>): Promise<T>
  /** The key for fingerprints and hash orders; secret, outside the chain, never exported. */
  secret(): Promise<Uint8Array>
  /** Notes outside the chain, such as the quick fingerprint last seen; losing one costs time only. */
  note(name: string): Promise<string | undefined>
  setNote(name: string, value: string): Promise<void>
  /**
   * Does work under a lock, such as writing the head file. `has` says whether a head belongs to this ledger. `before`
   * is awaited first, if possible while queueing.
   */
  alone<T>(work: (has: (head: Head) => boolean) => T, before?: () => Promise<void>): Promise<T>
  close(): Promise<void>
}
