export {
  type Attribute,
  type AttributeDescription,
  attribute,
  type BooleanAttribute,
  type DateAttribute,
  type DateUnit,
  type DecimalAttribute,
  dateOrdinal,
  type IntegerAttribute,
  label,
  maxCodes,
  nullCode,
  otherCode,
  type ValuesAttribute,
  valueCount,
  valueGrid,
} from './attribute.ts'
export { type ErrorCode, type Explanation, type Fact, type Facts, problem, ReticentError, usage } from './error.ts'
export { stopIfAborted } from './interrupted.ts'
export { attributesFromJson, attributesToJson } from './json.ts'
export { nearest, suggesting } from './nearest.ts'
export type { Guard, LedgerPlace, Neighbours, Policy, Privacy, Source, Unit } from './policy.ts'
export { loadPolicy } from './reader/load.ts'
export { attributeNamed, type Universe, universe } from './universe.ts'
