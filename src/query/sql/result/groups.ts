import { equals, fromNumber, toNumber } from '../../../numeric/index.ts'
import { decimalText, label, nullCode } from '../../../schema/index.ts'
import type { Grouping } from '../../linear-query.ts'
import { codesIn, count, fromCodes, type Ranges } from '../condition/ranges.ts'
import type { Computed, Scalar, Value } from '../expression/scalar.ts'
import { indicator } from '../expression/terms.ts'
import type { Key } from '../statement.ts'

/** One axis of a GROUP BY: the function grouped by, the groups of codes, and the key of each. */
export interface GroupAxis {
  readonly scalar: Scalar | Computed
  readonly grouping: Grouping
  readonly labels: readonly Key[]
  /** All codes that are in some group. */
  readonly codes: Ranges
}

/** What SQL would print: a number where a double holds it exactly, else its text. */
export function keyOf(value: Value | null): Key {
  if (value === null || typeof value !== 'object') return value
  const double = toNumber(value)
  return Number.isFinite(double) && equals(fromNumber(double), value) ? double : decimalText(value)
}

/** Groups the codes that the WHERE leaves by the value that the function has on them. */
export function groupAxis(scalar: Scalar | Computed, codes: Ranges): GroupAxis {
  const { attribute } = scalar
  const all = count(codes) === attribute.size
  if (scalar.kind === 'scalar') {
    const labels = Array.from(codesIn(codes), (code) => plainKey(scalar, code))
    const grouping = all ? { attribute: attribute.name } : { attribute: attribute.name, groups: singles(codes) }
    return { scalar, grouping, labels, codes }
  }
  const found = Map.groupBy(codesIn(codes), (code) => scalar.places[code]!)
  const groups = [...found].sort(([a], [b]) => nullLast(a, b))
  const eachItsOwn = all && groups.every(([, own], i) => own.length === 1 && own[0] === i)
  const sets = groups.map(([, own]) => indicator(fromCodes(own)))
  const grouping = eachItsOwn ? { attribute: attribute.name } : { attribute: attribute.name, groups: sets }
  return { scalar, grouping, labels: groups.map(([place]) => keyOf(scalar.values[place] ?? null)), codes }
}

const nullLast = (a: number, b: number): number => (a < 0 ? 1 : b < 0 ? -1 : a - b)

const singles = (codes: Ranges) => Array.from(codesIn(codes), (code) => indicator([code, code]))

/** As keyOf(scalar.at(code)), without exact arithmetic where a double does. */
export function plainKey({ attribute, at }: Scalar, code: number): Key {
  if (code === nullCode(attribute)) return null
  if (attribute.kind === 'integer') return attribute.low + code
  return attribute.kind === 'decimal' || attribute.kind === 'boolean' ? keyOf(at(code)) : label(attribute, code)
}
