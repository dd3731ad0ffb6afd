export {
  type AuditOptions,
  audit,
  auditPage,
  errorRate,
  type Finding,
  type Mechanism,
  mechanismNamed,
  mechanisms,
  verdictWord,
} from './audit/index.ts'
export { censusAttributes, censusUniverse } from './census/attributes.ts'
export { type Census, generateCensus } from './census/generate.ts'
export { censusPolicy } from './census/policy.ts'
export { writeCensus } from './census/write.ts'
export { encodeValue, type RawValue } from './encode.ts'
export {
  chart,
  type Experiment,
  type ExperimentOptions,
  experimentNamed,
  experiments,
  type Outcome,
} from './experiments/index.ts'
export {
  type CodedTable,
  type Counted,
  countMarginals,
  errorOfZeros,
  generatedTable,
  openCounted,
  overallError,
  type SharedName,
  sharedTable,
} from './marginals/index.ts'
export { memoryEngine, type RawRecord } from './memory-engine.ts'
export { memoryLedger } from './memory-ledger.ts'
export { type SeededBits, seededBits } from './seeded.ts'
