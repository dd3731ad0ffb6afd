export { chanceOfDisagreement } from './belief/agreement.ts'
export type { ScalarAnswer } from './belief/answer.ts'
export { flatBelief } from './belief/belief.ts'
export { type Evidence, evidenceOf, mostAnswers } from './belief/evidence.ts'
export type { FlatBelief } from './belief/weighed.ts'
export { cellQuery } from './blue/cell-query.ts'
export type { Estimate, Estimated, Source } from './blue/estimate.ts'
export type { History, HistoryOptions, TableEstimates } from './blue/history.ts'
export { combinedTables } from './blue/marginals/marginal-tables.ts'
export { openHistory } from './blue/open-history.ts'
export { denseEstimate } from './blue/scalars/dense.ts'
export { type FittedTable, type FittingOptions, tableHistoryModel } from './fitted/table-history-model.ts'
export type { HistoryModel, HistoryModelKind, PastAnswers } from './history-model.ts'
export { fitKernel } from './kernel/fit.ts'
export { KernelFits } from './kernel/kernel-fits.ts'
export { learnedPrior } from './kernel/prior/learned-prior.ts'
export { oneWayTables } from './kernel/prior/one-way.ts'
export { fitMaxent } from './maxent/fit.ts'
export { fitHistoryMixture } from './mixture/fit.ts'
export { posteriorByCharacteristic } from './posterior/characteristic.ts'
export { posteriorByConvolution, posteriorByPaperConvolution } from './posterior/convolution.ts'
export {
  type Combination,
  combinedTerms,
  freshLawFor,
  gaussianVarianceFor,
  laplaceScaleFor,
} from './posterior/fresh.ts'
export { type Law, lawOf, type Term, varianceOfError } from './posterior/law.ts'
export { posteriorByMonteCarlo, samplesOfPaper } from './posterior/monte-carlo.ts'
export type { Posterior } from './posterior/posterior.ts'
export { sampler } from './posterior/sample.ts'
export { Cells } from './prior/cells.ts'
export { type Belief, openShare, PriorHistory } from './prior/prior-history.ts'
