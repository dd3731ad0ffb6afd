export { stoppingPoint } from './interruption.ts'
export { type Consistent, consistentMarginals } from './marginals/consistency/consistent.ts'
export { type OwnAnswers, ownAnswers } from './marginals/consistency/measured.ts'
export { unlessGuarded } from './marginals/guarded.ts'
export { needsRecords } from './marginals/job.ts'
export { measureMarginals } from './marginals/measure.ts'
export { type Guess, type MarginalsPlan, type PlannedMarginal, planScales } from './marginals/plan.ts'
export { atTheirWord, type Judge } from './marginals/reduce/judge.ts'
export { LargestError } from './marginals/reduce/largest-error.ts'
export { OverallError } from './marginals/reduce/overall-error.ts'
export type { Picker } from './marginals/reduce/picker.ts'
export { type Reduction, reduce } from './marginals/reduce/reduce.ts'
export type {
  Floor,
  MarginalsContext,
  MarginalsRequest,
  MeasuredMarginal,
  MeasuredMarginals,
  Method,
  Records,
} from './marginals/request.ts'
export { allWays, checkMarginals, containing, maxMarginals, parseMarginals } from './marginals/selection.ts'
export type {
  Bought,
  Draw,
  Draws,
  DrawsRequest,
  Meter,
  Noise,
  Purchase,
  Revealed,
  Run,
  RunRequest,
} from './meter.ts'
export { type TreeShape, treeLevels } from './tree/levels.ts'
export { releaseTree } from './tree/release.ts'
