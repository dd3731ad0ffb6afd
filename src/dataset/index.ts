export type { MarginalTable, MarginalTables, SyntheticTable, SynthProgress, SynthStep } from '../release/index.ts'
export type { AnalystBudget, Budget, HistoryEntry, HistoryMeasurement } from './accounts.ts'
export type { AskOptions } from './ask-options.ts'
export type { Dataset, Improvement, ImproveOptions } from './dataset.ts'
export type { ModelAnswer, ModelColumn } from './history/model-answer.ts'
export type { ModelOptions } from './history/models.ts'
export type { MarginalsOptions } from './marginals/options.ts'
export type { MarginalsPlan, PlannedTable } from './marginals/plan.ts'
export type { MarginalsRelease } from './marginals/tables.ts'
export { type LedgerMove, type MoveOptions, moveLedgerFor } from './move.ts'
export { type OpenOptions, open } from './open.ts'
export {
  beginEpoch,
  changeCap,
  checkGuards,
  checkLedger,
  checkNewLedger,
  createLedgerFor,
  exportLedger,
  type Verdict,
  verifyLedger,
} from './owner.ts'
export { type RestoredLedger, restoreLedger } from './restore.ts'
export type { AttributeSpending } from './spending.ts'
export { askModel } from './synth/ask-model.ts'
export type { FreeSynthOptions, FreeSynthPlan } from './synth/free.ts'
export type { SynthOptions } from './synth/options.ts'
export type { SynthesisPlan } from './synth/plan.ts'
export type { SynthRelease } from './synth/synthesize.ts'
export type { TreeLevel, TreeOptions, TreePlan, TreeRelease } from './tree.ts'
