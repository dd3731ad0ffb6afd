export { Book, type Release } from './book.ts'
export { genesis, type RawRow, readChain } from './chain.ts'
export { frozen, restoreHold } from './epoch.ts'
export { exportRows } from './export.ts'
export type { Head, Ledger, StoredRow } from './ledger.ts'
export { lossOf } from './loss.ts'
export { createLedger, openLedger } from './place.ts'
export { containsHead, containsReceipt, formatReceipt, parseReceipt } from './receipt.ts'
export type {
  Cap,
  Create,
  Epoch,
  Purchase,
  Record,
  Refine,
  Reserve,
  Restore,
  Row,
  RunClose,
  RunOpen,
  Score,
  Selection,
  Sold,
  Terms,
  Void,
} from './row.ts'
export { checkSeen, headFileOf, keepSeen, readSeen, replaceSeen, type Seen } from './seen.ts'
export { type Fault, measurementId, verifyRows } from './structure.ts'
export { prepareRow, sameHead, Tail } from './tail.ts'
