import type { RawRow } from './chain.ts'
import type { Contents } from './contents.ts'
import type { Head } from './ledger.ts'

/** A ledger that is to be moved: its rows as stored, and the closing row after them, if there is one. */
export interface MovableLedger {
  contents(): Promise<Contents>
  /** Closes it, durably, while nobody can append. Gives the rows that had come after this head. */
  finish(after: Head, closing: (head: Head) => RawRow): Promise<RawRow[]>
  close(): Promise<void>
}
