import type { RawRow } from './chain.ts'
import type { Contents } from './contents.ts'
import type { Head } from './ledger.ts'

/** A ledger that is to be moved: its rows as stored, and the closing row after them, if there is one. */
export interface MovableLedger {
  contents(): Promise<Contents>
  /** Waits for whoever else moves it. From then on, until this is closed or its process dies, nobody else does. */
  hold(): Promise<void>
  /** Closes it, durably, while nobody can append, and holds it. Gives the rows that had come after this head. */
  finish(after: Head, closing: (head: Head) => RawRow): Promise<RawRow[]>
  close(): Promise<void>
}
