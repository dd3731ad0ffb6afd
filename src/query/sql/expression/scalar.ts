import {
  add,
  ceil,
  compare,
  divide,
  floor,
  multiply,
  type Rational,
  rational,
  subtract,
  toText,
} from '../../../numeric/index.ts'
import { type Attribute, binEdge, daysAt, isNumber, label, nullCode, sumValue } from '../../../schema/index.ts'

/** A value in a record: numbers are exact, dates are ISO texts. */
export type Value = Rational | string | boolean
type ScalarType = 'number' | 'text' | 'boolean' | 'date'

/** A function of one attribute of the record, such as age, age / 10 or extract(year from born). */
export interface Scalar {
  readonly kind: 'scalar'
  readonly attribute: Attribute
  readonly type: ScalarType
  /** A number of SQL's integer types, whose division truncates. */
  readonly integer: boolean
  /** Never falls from one code to the next. */
  readonly ascending: boolean
  /** Equal functions written alike have equal signatures. */
  readonly signature: string
  /** Operations that one value takes. */
  readonly cost: number
  /** Of the first value that the code stands for; null is NULL. */
  readonly at: (code: number) => Value | null
  /** Of the last one: a code of a date by month, or of a bin, stands for many. In between the function neither rises and falls. */
  readonly last: (code: number) => Value | null
}

/** A literal; a quoted one ('string') takes the type of what it is compared with. */
export type Constant =
  | {
      readonly kind: 'constant'
      readonly type: 'number'
      readonly value: Rational
      readonly text: string
      readonly integer: boolean
    }
  | { readonly kind: 'constant'; readonly type: 'string' | 'date'; readonly value: string }
  | { readonly kind: 'constant'; readonly type: 'boolean'; readonly value: boolean }
  | { readonly kind: 'constant'; readonly type: 'null' }

export type NumberConstant = Extract<Constant, { type: 'number' }>

export type Operand = Scalar | Constant

export const number = (value: Rational, integer: boolean): NumberConstant => ({
  kind: 'constant',
  type: 'number',
  value,
  text: toText(value),
  integer,
})

/** The attribute itself. */
export function attributeScalar(attribute: Attribute): Scalar {
  const { kind } = attribute
  const type = isNumber(attribute) ? 'number' : kind === 'values' ? 'text' : (kind as 'boolean' | 'date')
  const missing = nullCode(attribute)
  const first = (code: number): Value => {
    if (kind === 'bins') return binEdge(attribute, code)
    if (kind === 'date') return attribute.by === 'day' ? label(attribute, code)! : daysAt(attribute, code)[0]
    return type === 'number' ? sumValue(attribute, code) : type === 'boolean' ? code === 1 : label(attribute, code)!
  }
  const last = (code: number): Value => {
    if (kind === 'bins') return subtract(binEdge(attribute, code + 1), justBelow)
    return kind === 'date' && attribute.by !== 'day' ? daysAt(attribute, code)[1] : first(code)
  }
  return {
    kind: 'scalar',
    attribute,
    type,
    integer: kind === 'integer',
    ascending: type !== 'text',
    signature: JSON.stringify(attribute.name),
    cost: 1,
    at: (code) => (code === missing ? null : first(code)),
    last: (code) => (code === missing ? null : last(code)),
  }
}

/**
 * Below a bin's upper edge by this there is the last of its values: no double lies between the two, since an edge is 0 or at least 10^-15,
 * whose doubles are 10^-31 apart. (Below 0 there are doubles, smaller than any that a condition is about.)
 */
const justBelow: Rational = rational(1, 2n ** 110n)

/** A function of a scalar's value that never both rises and falls within one code; NULL stays NULL. */
export const derive = (
  of: Scalar,
  signature: string,
  type: ScalarType,
  integer: boolean,
  compute: (value: Value) => Value,
): Scalar => ({
  ...of,
  type,
  integer,
  signature,
  ascending: false,
  cost: of.cost + 1,
  at: (code) => computed(of.at(code), compute),
  last: (code) => computed(of.last(code), compute),
})

const computed = (value: Value | null, compute: (value: Value) => Value) => (value === null ? null : compute(value))

/** Whether the function has one value on everything that a code stands for. */
export function isConstantAt(of: Scalar, code: number): boolean {
  const [first, last] = [of.at(code), of.last(code)]
  return first === null || last === null ? first === last : compareValues(first, last) === 0
}

/** How an operand appears in the signature of what is made of it. */
export const sign = (o: Scalar | NumberConstant): string => (o.kind === 'scalar' ? o.signature : toText(o.value))

/** By code points, which is the C collation; UTF-16 units alone would put 😀 before ﬀ. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  let i = 0
  while (i < shared && a.charCodeAt(i) === b.charCodeAt(i)) i++
  return i < shared ? rank(a.charCodeAt(i)) - rank(b.charCodeAt(i)) : a.length - b.length
}

/** Halves of characters beyond 16 bits come after all whole ones. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)

/** The order of two values of one type; false comes before true. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string') return compareText(a, b as string)
  if (typeof a === 'boolean') return Number(a) - Number(b)
  return compare(a, b as Rational)
}

const truncate = (a: Rational): bigint => (a.num < 0n ? ceil(a) : floor(a))

/** SQL's arithmetic on the values of a record: integers divide to integers, towards zero. The divisor is not 0. */
export function arithmetic(operator: string, a: Rational, b: Rational, integers: boolean): Rational {
  switch (operator) {
    case '+':
      return add(a, b)
    case '-':
      return subtract(a, b)
    case '*':
      return multiply(a, b)
    case '/':
      return integers ? rational(truncate(divide(a, b))) : divide(a, b)
    default:
      return subtract(a, multiply(b, rational(truncate(divide(a, b)))))
  }
}
