export { stoppingPoint } from './interruption.ts'
export type { ExpectedErrors } from './marginals/consistency/bootstrap.ts'
export { undetermined } from './marginals/consistency/combine.ts'
export { type Consistent, consistentMarginals } from './marginals/consistency/consistent.ts'
export { isMostlyNoise } from './marginals/consistency/error.ts'
export { nearestTable } from './marginals/consistency/fit.ts'
export { ownAnswers } from './marginals/consistency/measured.ts'
export { unlessGuarded } from './marginals/guarded.ts'
export { type MeasuredMarginals, measureMarginals } from './marginals/measure.ts'
export {
  type MarginalsRequest,
  type MethodName,
  methodNamed,
  methods,
  needsRecords,
} from './marginals/methods/index.ts'
export { noiseOf } from './marginals/noise.ts'
export { firstLook, type PlannedMarginal, planScales } from './marginals/plan.ts'
export { urgencyAsPrinted } from './marginals/reduce/judge.ts'
export { OverallError } from './marginals/reduce/overall-error.ts'
export type { Floor, MarginalsContext, Records } from './marginals/request.ts'
export { allWays, checkMarginals, containing, parseMarginals } from './marginals/selection.ts'
export { floorFor, priceOfRecords } from './marginals/settled-request.ts'
export {
  confidence,
  type ExpectedError,
  type MarginalTable,
  type MarginalTables,
  type MeasuredTable,
  type RecordsUsed,
} from './marginals/tables.ts'
export type { Meter } from './meter.ts'
export {
  type CheckedTable,
  type CheckPlan,
  checkRows,
  defaultMethod,
  type ExpectedPairError,
  expectedPairErrors,
  type MaxentRequest,
  type MeasuredBesideModel,
  type MwemRequest,
  measureAllPairs,
  measuredBesideModel,
  mwem,
  parseWorkload,
  planCheck,
  type SynthBudget,
  type SynthContext,
  type SyntheticTable,
  type SynthMethodName,
  type SynthPlan,
  type SynthProgress,
  type SynthRequest,
  type SynthStep,
  type SynthTerms,
  summedOver,
  synthLawFor,
  synthMethodNamed,
  synthMethods,
} from './synth/index.ts'
export { type TreeShape, treeLevels } from './tree/levels.ts'
export { releaseTree } from './tree/release.ts'
