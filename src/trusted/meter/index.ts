export { type Buyer, Meter, type Receipt, type Refinement, type Request } from './meter.ts'
export { type Approve, epochOver, epsilonAt, leftOf, type Quota } from './reserve.ts'
export type { Run, RunRequest } from './run.ts'
export { checkSource } from './source.ts'
