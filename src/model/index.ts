export { answerSheet } from './answer-sheet.ts'
export { DenseModel, holdsQuery, isDense, refuseTooLarge } from './dense/dense-model.ts'
export type { Projection } from './dense/projection.ts'
export { queryTable } from './dense/query-table.ts'
export { FactoredModel } from './factored/index.ts'
export type { AnswerSheet, FittedModel, ModelChanges, NoisyAnswer } from './fitted-model.ts'
export {
  calibrate,
  cellsOver,
  cliquesOf,
  joinCliques,
  projectionOnto,
  type Table,
  type TreeShape,
} from './junction-tree/index.ts'
export {
  coarsened,
  fitMixture,
  type GroupedMarginal,
  groupedMarginal,
  groupSums,
  isComplete,
  MixtureModel,
  type MixtureProblem,
  mixturePath,
  type Partition,
  refinement,
  simplestMixture,
  singletons,
} from './mixture/index.ts'
export { ProductModel } from './product.ts'
export { readModel } from './read-model.ts'
export { recordWeights } from './sampled/record-weights.ts'
export { SampledModel } from './sampled/sampled-model.ts'
export type { Rows, Sampling, TableModel } from './table-model.ts'
