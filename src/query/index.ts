export { combine } from './combine.ts'
export { describe } from './describe.ts'
export { type Grid, isGrid, levelOf, scaleAt } from './grid.ts'
export { canonicalJson, lawFromJson, lawToJson, queryFromJson, queryKey, queryToJson, sameJson } from './json.ts'
export { keptKey } from './kept-key.ts'
export {
  answerSize,
  attributesOf,
  axisSizes,
  checkQuery,
  countAll,
  type Factor,
  factorAt,
  factorTable,
  type Grouping,
  groupOf,
  type Indicator,
  type Interval,
  isMarginal,
  type LinearQuery,
  marginal,
  marginalOver,
  maxAnswerSize,
  type Term,
  weightAt,
} from './linear-query.ts'
export { MarginalList } from './marginal-list.ts'
export type { Integers, Measurement, NoiseLaw } from './measurement.ts'
export { isInNoiseRange, noiseRange, noiseRangeText } from './noise-range.ts'
export { noiseDeviation, noiseSpread, noiseVariance } from './noise-variance.ts'
export { answerStarts, checkQueries, type QueryList } from './query-list.ts'
export { parseSql } from './sql/parse.ts'
export { arrange, rowCount } from './sql/result/arrange.ts'
export { evaluate } from './sql/result/evaluate.ts'
export { evaluateInterval } from './sql/result/interval.ts'
export { placesIn } from './sql/result/row-order.ts'
export type {
  Condition,
  Expression,
  Key,
  Operand,
  Quantile,
  Statement,
  WindowRank,
  WindowSum,
} from './sql/statement.ts'
export { maxTerms } from './sql/work.ts'
export { weightTable } from './weight-table.ts'
