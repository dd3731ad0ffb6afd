export type { Head, Ledger, StoredRow } from './ledger.ts'
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
