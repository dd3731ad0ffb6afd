/** Reticent as a library: `open()` a policy and `ask()` it questions. */
export type { Answer, ColumnAnswer, Cost, Estimate, Group, PartReport, Plan } from './answer/index.ts'
export {
  type AnalystBudget,
  type AskOptions,
  type Budget,
  type Dataset,
  type HistoryEntry,
  type HistoryMeasurement,
  open,
} from './open.ts'
export {
  beginEpoch,
  changeCap,
  checkLedger,
  createLedgerFor,
  exportLedger,
  type Verdict,
  verifyLedger,
} from './owner.ts'
export { ReticentError } from './schema/index.ts'
