export { lawFor as synthLawFor } from './budget.ts'
export { type CheckedTable, type CheckPlan, checkRows, planCheck } from './check.ts'
export { defaultMethod } from './default-method.ts'
export { type ExpectedPairError, expectedPairErrors } from './expected-error.ts'
export type { MaxentRequest } from './maxent/maxent.ts'
export { type MeasuredBesideModel, measuredBesideModel, summedOver } from './measured-tables.ts'
export type {
  SynthBudget,
  SynthContext,
  SynthPlan,
  SynthProgress,
  SynthRequest,
  SynthStep,
  SynthTerms,
} from './method.ts'
export { type SynthMethodName, synthMethodNamed, synthMethods } from './methods.ts'
export { mwem } from './mwem/mwem.ts'
export type { MwemRequest } from './mwem/request.ts'
export { measureAllPairs } from './pairs/measure-all.ts'
export type { SyntheticTable } from './synthetic-table.ts'
export { parseWorkload } from './workload/read.ts'
