export { type Approve, Meter, type Quota, type Receipt, type Request } from './meter.ts'
export { checkSource } from './source.ts'
