export type { AnalystBudget, Budget, HistoryEntry, HistoryMeasurement } from './accounts.ts'
/** Reticent as a library: `open()` a policy and `ask()` it questions. */
export {
  type Answer,
  type ColumnAnswer,
  type Cost,
  type Density,
  type Estimate,
  type Group,
  type Kind,
  type MadeOf,
  type PartReport,
  type Plan,
  Refusal,
} from './answer/index.ts'
export type { MarginalsRelease } from './marginals-made.ts'
export type { MarginalsOptions } from './marginals-options.ts'
export type { MarginalsPlan, PlannedTable } from './marginals-plan.ts'
export {
  type AskOptions,
  type Dataset,
  type Improvement,
  open,
} from './open.ts'
export {
  beginEpoch,
  changeCap,
  checkGuards,
  checkLedger,
  createLedgerFor,
  exportLedger,
  type Verdict,
  verifyLedger,
} from './owner.ts'
export {
  type Folder,
  type Format,
  openFolder,
  type Publication,
  type PublishedTable,
  publish,
  type Summary,
} from './publish/index.ts'
export { ReticentError } from './schema/index.ts'
export type { TreeLevel, TreeOptions, TreePlan, TreeRelease } from './tree.ts'
