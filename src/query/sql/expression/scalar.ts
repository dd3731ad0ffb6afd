import { compare, type Rational, rational, subtract, toText } from '../../../numeric/index.ts'
import { type Attribute, binEdge, daysAt, isNumber, label, nullCode, sumValue } from '../../../schema/index.ts'

/** A value in a record: numbers are exact, dates are ISO texts. */
export type Value = Rational | string | boolean
export type ScalarType = 'number' | 'text' | 'boolean' | 'date'

/** An attribute of the record. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly attribute: Attribute
  readonly type: ScalarType
  /** Equal values written alike have equal signatures. */
  readonly signature: string
  /** The first value that the code stands for; null is NULL. */
  readonly at: (code: number) => Value | null
  /** The last one: a code of a date by month, or of a bin, stands for many. */
  readonly last: (code: number) => Value | null
}

/** Any other function of a record: its value at every cell of the attributes that it looks at. */
export interface Computed {
  readonly kind: 'computed'
  readonly attributes: readonly Attribute[]
  /** The first of them. */
  readonly attribute: Attribute
  readonly type: ScalarType
  readonly signature: string
  /** All values that it has, ascending. */
  readonly values: readonly Value[]
  /** By cell the place of its value; -1 is NULL. The last attribute runs fastest. */
  readonly places: Int32Array
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

type NumberConstant = Extract<Constant, { type: 'number' }>

export type Operand = Scalar | Computed | Constant

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
    signature: JSON.stringify(attribute.name),
    at: (code) => (code === missing ? null : first(code)),
    last: (code) => (code === missing ? null : last(code)),
  }
}

/**
 * Below a bin's upper edge by this there is the last of its values: no double lies between the two, since an edge is 0 or at least 10^-15,
 * whose doubles are 10^-31 apart. (Below 0 there are doubles, smaller than any that a condition is about.)
 */
const justBelow: Rational = rational(1, 2n ** 110n)

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
