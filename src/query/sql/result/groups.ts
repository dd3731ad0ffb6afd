import { equals, fromNumber, toNumber, toText } from '../../../numeric/index.ts'
import { isCoarse, label, nullCode } from '../../../schema/index.ts'
import type { Grouping } from '../../linear-query.ts'
import { cellText, isPlain } from '../condition/edges.ts'
import { codesIn, count, fromCodes, type Ranges } from '../condition/ranges.ts'
import { compareValues, isConstantAt, type Scalar, type Value } from '../expression/scalar.ts'
import { indicator } from '../expression/terms.ts'
import { compute, fault, quoteName, type Scope } from '../scope.ts'
import type { Key } from '../statement.ts'

/** One axis of a GROUP BY: the function grouped by, the groups of codes, and the key of each. */
export interface GroupAxis {
  readonly scalar: Scalar
  readonly grouping: Grouping
  readonly labels: readonly Key[]
  /** All codes that are in some group. */
  readonly codes: Ranges
}

/** What SQL would print: a number where a double holds it exactly, else its text. */
export function keyOf(value: Value | null): Key {
  if (value === null || typeof value !== 'object') return value
  const double = toNumber(value)
  return Number.isFinite(double) && equals(fromNumber(double), value) ? double : toText(value)
}

/** Groups the codes that the WHERE leaves by the value that the function has on them. */
export function groupAxis(scope: Scope, node: unknown, scalar: Scalar, codes: Ranges): GroupAxis {
  const { attribute } = scalar
  const all = count(codes) === attribute.size
  if (isPlain(scalar)) {
    const labels = Array.from(codesIn(codes), (code) => plainKey(scalar, code))
    const grouping = all ? { attribute: attribute.name } : { attribute: attribute.name, groups: singles(codes) }
    return { scalar, grouping, labels, codes }
  }
  compute(scope, node, attribute, count(codes) * scalar.cost)
  const found = new Map<Key, { value: Value | null; codes: number[] }>()
  for (const code of codesIn(codes)) {
    if (isCoarse(attribute) && !isConstantAt(scalar, code)) throw inSeveralGroups(scope, node, scalar, code)
    const value = scalar.at(code)
    const key = keyOf(value)
    const group = found.get(key)
    if (group) group.codes.push(code)
    else found.set(key, { value, codes: [code] })
  }
  const groups = [...found].sort(([, a], [, b]) => nullsLast(a.value, b.value))
  const eachItsOwn = all && groups.every(([, group], i) => group.codes.length === 1 && group.codes[0] === i)
  const sets = groups.map(([, group]) => indicator(fromCodes(group.codes)))
  const grouping = eachItsOwn ? { attribute: attribute.name } : { attribute: attribute.name, groups: sets }
  return { scalar, grouping, labels: groups.map(([key]) => key), codes }
}

const inSeveralGroups = (scope: Scope, node: unknown, { attribute }: Scalar, code: number) =>
  fault(
    scope,
    node,
    'not-an-edge',
    `${cellText(attribute, code)} of ${attribute.name} would be in several groups`,
    `Group by ${quoteName(attribute.name)} itself, or by groups that its cells fit into.`,
    { attribute: attribute.name },
  )

const singles = (codes: Ranges) => Array.from(codesIn(codes), (code) => indicator([code, code]))

/** As keyOf(scalar.at(code)), without exact arithmetic where a double does. */
function plainKey({ attribute, at }: Scalar, code: number): Key {
  if (code === nullCode(attribute)) return null
  if (attribute.kind === 'integer') return attribute.low + code
  return attribute.kind === 'decimal' || attribute.kind === 'boolean' ? keyOf(at(code)) : label(attribute, code)
}

const nullsLast = (a: Value | null, b: Value | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareValues(a, b)
}
