export type { Answer, ColumnAnswer, Cost, Estimate, Group, PartReport, Plan } from './answer.ts'
export { ask, plan, type Requirement } from './ask.ts'
