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

/** An append-only list of rows, each chained to the one before by its hash. One contract suite holds all of them to it. */
export interface Ledger {
  /**
   * The rows after number `after`, in order, their chain checked. Throws `ledger-corrupt` when it does not hold. Where those
   * are enough that were read or written here before, as they are right after an append, `known` spares asking for more.
   */
  read(after: number, known?: 'known'): Promise<StoredRow[]>
  /**
   * Appends a row durably: when this returns, a power cut does not undo it. With `expect`, only if the head is still
   * that one; undefined, and nothing written, when it has moved.
   */
  append(row: Row, expect?: Head): Promise<StoredRow | undefined>
  /**
   * Does work that looks at the head and appends one row by `append`; others may be kept from appending meanwhile, so it
   * should be short. Where they are many, each stands in line once instead of trying again and again.
   */
  inTurn<T>(work: (append: Append) => Promise<T>): Promise<T>
  /** The key for fingerprints and hash orders; secret, outside the chain, never exported. */
  secret(): Promise<Uint8Array>
  /** Notes outside the chain, such as the quick fingerprint last seen; losing one costs time only. */
  note(name: string): Promise<string | undefined>
  setNote(name: string, value: string): Promise<void>
  /**
   * Does work while nobody else does work so, such as writing beside the ledger how far it has come. `has` tells whether a
   * head is one of this ledger's. `before` is awaited first, where that can be while others wait already.
   */
  alone<T>(work: (has: (head: Head) => boolean) => T, before?: () => Promise<void>): Promise<T>
  close(): Promise<void>
}
