export { combine } from './combine.ts'
export { describe } from './describe.ts'
export { type Grid, isGrid, levelOf, scaleAt } from './grid.ts'
export { innerProduct, type ProductPrior } from './inner-product.ts'
export { canonicalJson, lawFromJson, lawToJson, queryFromJson, queryKey, queryToJson } from './json.ts'
export {
  answerSize,
  attributesOf,
  axisSizes,
  type CodeSet,
  checkQuery,
  countAll,
  type Factor,
  factorAt,
  factorTable,
  type Grouping,
  groupOf,
  type Indicator,
  type Interval,
  type LinearQuery,
  marginal,
  marginalOver,
  maxAnswerSize,
  type TableFactor,
  type Term,
  type ValueFactor,
  weightAt,
} from './linear-query.ts'
export type { Integers, Measurement, NoiseLaw } from './measurement.ts'
export { isInNoiseRange, noiseRange, noiseRangeText, scaleInSteps } from './noise-range.ts'
export { parseSql } from './sql/parse.ts'
export { arrange, type Row } from './sql/result/arrange.ts'
export { evaluate } from './sql/result/evaluate.ts'
export { maxGroups } from './sql/result/group-by.ts'
export { type Bounds, evaluateInterval } from './sql/result/interval.ts'
export type { Axis, Column, Condition, Expression, Key, Operand, Order, Statement } from './sql/statement.ts'
export { maxTerms } from './sql/work.ts'
