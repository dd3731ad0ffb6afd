import { compare, type Rational, toText } from '../../../numeric/index.ts'
import { type Attribute, binEdge, daysAt, decimalText, isCoarse, knownCodes, label } from '../../../schema/index.ts'
import { attributeScalar, type Scalar, type Value } from '../expression/scalar.ts'
import { fault, quoteName, type Scope } from '../scope.ts'
import type { Operator } from './operator.ts'

/** A comparison of a number or a date with a constant, as it was written. */
export interface Asked {
  readonly scope: Scope
  /** Where the constant stands. */
  readonly node: unknown
  readonly scalar: Scalar
  readonly operator: Operator
  readonly value: Value
}

const isUpper = (operator: Operator) => operator === '<' || operator === '<='
const isEquality = (operator: Operator) => operator === '=' || operator === '<>'
const spelled = (value: Value): string =>
  typeof value === 'string' ? `'${value}'` : typeof value === 'boolean' ? String(value) : brief(value)
/** A number that was typed may have any number of digits. */
const brief = (value: Rational) => {
  const text = value.den === 1n ? toText(value) : decimalText(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

const refusal = (
  { scope, node, scalar: { attribute } }: Asked,
  message: string,
  nearest: readonly string[],
  why = '',
) =>
  fault(
    scope,
    node,
    'not-an-edge',
    message,
    [nearest.length > 0 ? `Ask ${nearest.join(', or ')}.` : '', why].filter(Boolean).join(' '),
    { attribute: attribute.name, nearest },
  )

/** What a code of a coarse attribute stands for, in words. */
export function cellText(a: Attribute, code: number): string {
  if (a.kind !== 'date') return `the bin ${label(a, code)}`
  return `the ${a.by} ${daysAt(a, code).join(' … ')}`
}

/** The constant lies inside of what one code stands for: the answer would need to know more than the codes do. */
export function splits(asked: Asked, code: number) {
  const { attribute } = asked.scalar
  const cell = cellText(attribute, code)
  const known = attribute.kind === 'date' ? `by ${attribute.by}` : 'in bins'
  return refusal(asked, `${attribute.name} is known ${known}, and this would split ${cell}`, around(asked, code))
}

/** The cell itself for an equality, else the bounds on its two sides. */
function around({ scalar: { attribute }, operator }: Asked, code: number): string[] {
  const x = quoteName(attribute.name)
  const [below, above] = [`${x} >= ${spelled(beginOf(attribute, code))}`, upTo(attribute, code)]
  if (operator === '=') return [`${below} AND ${above}`]
  if (operator === '<>') return [`NOT (${below} AND ${above})`]
  if (isUpper(operator)) return [...(code > 0 ? [upTo(attribute, code - 1)] : []), above]
  const next = code + 1 < knownCodes(attribute) ? [`${x} >= ${spelled(beginOf(attribute, code + 1))}`] : []
  return [below, ...next]
}

const beginOf = (a: Attribute, code: number): Value => attributeScalar(a).at(code)!

/** The condition for everything up to the end of a cell. */
function upTo(a: Attribute, code: number): string {
  const x = quoteName(a.name)
  if (code + 1 < knownCodes(a)) return `${x} < ${spelled(beginOf(a, code + 1))}`
  return a.kind === 'bins'
    ? `${x} < ${spelled(binEdge(a, code + 1))}`
    : `${x} <= ${spelled(attributeScalar(a).last(code)!)}`
}

/** From where to where an attribute goes that is a number or a date. */
export function spanText(attribute: Attribute): string {
  const ends = [beginOf(attribute, 0), endOf(attribute)].map(spelled).join(' to ')
  return `${quoteName(attribute.name)} goes from ${ends}; values outside count as the nearer end.`
}

/** No code has this value, or none is on this side of it. */
export function reachesNone(asked: Asked) {
  const { scalar, operator, value } = asked
  const { attribute } = scalar
  const why = spanText(attribute)
  const what = isEquality(operator) ? spelled(value) : `${operator} ${spelled(value)}`
  return refusal(asked, `no value of ${attribute.name} is ${what}`, [nearestEnd(asked)], why)
}

const endOf = (a: Attribute): Value =>
  a.kind === 'bins' ? binEdge(a, knownCodes(a)) : attributeScalar(a).last(knownCodes(a) - 1)!

function nearestEnd({ scalar: { attribute, at }, operator, value }: Asked): string {
  const x = quoteName(attribute.name)
  const last = knownCodes(attribute) - 1
  const isLow = isEquality(operator)
    ? typeof value === 'string'
      ? value < String(at(0))
      : compare(value as Rational, at(0) as Rational) < 0
    : isUpper(operator)
  if (isEquality(operator) && !isCoarse(attribute)) return `${x} ${operator} ${spelled(at(isLow ? 0 : last)!)}`
  if (!isLow) return `${x} >= ${spelled(at(last)!)}`
  return isCoarse(attribute) ? upTo(attribute, 0) : `${x} <= ${spelled(at(0)!)}`
}

/** Between two values of the grid: `code` is the higher one. */
export function offTheGrid(asked: Asked, code: number) {
  const { scalar, operator, value } = asked
  const { attribute, at } = scalar
  const x = quoteName(attribute.name)
  const grid =
    attribute.kind === 'decimal'
      ? `on a grid of ${spelled(attribute.step)} from ${spelled(attribute.low)}`
      : 'a whole number'
  const inclusive = isEquality(operator) ? operator : isUpper(operator) ? '<=' : '>='
  const nearest = [code - 1, code].map((c) => `${x} ${inclusive} ${spelled(at(c)!)}`)
  return refusal(asked, `${attribute.name} is ${grid}, and ${spelled(value)} is not`, nearest)
}
