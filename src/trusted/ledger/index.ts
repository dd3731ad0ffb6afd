export { Book, type Release } from './book.ts'
export { genesis, type RawRow, readChain } from './chain.ts'
export { frozen } from './epoch.ts'
export { exportRows } from './export.ts'
export type { Head, Ledger, StoredRow } from './ledger.ts'
export { createLedger, openLedger } from './place.ts'
export { containsReceipt, formatReceipt, parseReceipt } from './receipt.ts'
export type {
  Cap,
  Create,
  Epoch,
  Purchase,
  Record,
  Refine,
  Reserve,
  Row,
  RunClose,
  RunOpen,
  Terms,
  Void,
} from './row.ts'
export { checkSeen, headFileOf, readSeen, writeSeen } from './seen.ts'
export { type Fault, measurementId, verifyRows } from './structure.ts'
export { prepareRow, sameHead, Tail } from './tail.ts'
