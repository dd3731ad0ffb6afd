export type { Answer, ColumnAnswer, Estimate, Group, PartReport, Plan } from './answer.ts'
export { ask, plan, type Requirement } from './ask.ts'
export { type Cost, costOf, leftFor, priceOf } from './cost.ts'
export { scaleOf } from './price.ts'
