export {
  type Attribute,
  type AttributeDescription,
  attribute,
  type BinsAttribute,
  type BooleanAttribute,
  type DateAttribute,
  type DateUnit,
  type DecimalAttribute,
  dateOrdinal,
  type IntegerAttribute,
  maxCodes,
  nullCode,
  otherCode,
  type ValuesAttribute,
  valueCount,
} from './attribute.ts'
export { binEdge, binValue, daysAt, isCoarse, isNumber, isOrdered, knownCodes, sumValue, valueGrid } from './cells.ts'
export { decimalText } from './decimal-text.ts'
export {
  collecting,
  type ErrorCode,
  type Explanation,
  type Fact,
  type Facts,
  problem,
  ReticentError,
  usage,
} from './error.ts'
export { stopIfAborted } from './interrupted.ts'
export { attributesFromJson, attributesToJson } from './json.ts'
export { label } from './label.ts'
export { nearest, suggesting } from './nearest.ts'
export type { Guard, LedgerPlace, Neighbours, Policy, Privacy, Source, Unit } from './policy.ts'
export { promiseText } from './promise.ts'
export { ledgerPlace } from './reader/ledger.ts'
export { loadPolicy } from './reader/load.ts'
export { attributeNamed, type Universe, universe } from './universe.ts'
