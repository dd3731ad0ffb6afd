export { cellQuery } from './blue/cell-query.ts'
export type { Estimate, Estimated, NotEstimable, Source } from './blue/estimate.ts'
export { type History, type HistoryOptions, openHistory } from './blue/history.ts'
export { combinedTables } from './blue/marginals/marginal-tables.ts'
export { type DenseHistory, denseEstimate } from './blue/scalars/dense.ts'
export { type CharacteristicOptions, posteriorByCharacteristic } from './posterior/characteristic.ts'
export {
  type ConvolutionOptions,
  posteriorByConvolution,
  posteriorByPaperConvolution,
} from './posterior/convolution.ts'
export {
  type Combination,
  combinedTerms,
  freshLawFor,
  gaussianVarianceFor,
  laplaceScaleFor,
} from './posterior/fresh.ts'
export { type Law, lawOf, type Term, varianceOfError } from './posterior/law.ts'
export {
  expectedError,
  type MonteCarloOptions,
  posteriorByMonteCarlo,
  samplesFor,
  samplesOfPaper,
} from './posterior/monte-carlo.ts'
export type { Posterior } from './posterior/posterior.ts'
export { sampler } from './posterior/sample.ts'
export { Cells } from './prior/cells.ts'
export { type Belief, openShare, type Prior, PriorHistory } from './prior/prior-history.ts'
