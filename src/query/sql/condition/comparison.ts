import { nullCode } from '../../../schema/index.ts'
import { knownCodes } from '../expression/expression.ts'
import { codesByLabel, coerce, unlisted } from '../expression/literal.ts'
import { type Constant, compareValues, type Scalar, type Value } from '../expression/scalar.ts'
import { compute, type Scope, unsupported } from '../scope.ts'
import { not, type Predicate } from './predicate.ts'
import { codesIn, complement, fromCodes, intersect, none, type Ranges, span } from './ranges.ts'

export type Operator = '<' | '<=' | '=' | '<>' | '>=' | '>'
export const operators: readonly string[] = ['<', '<=', '=', '<>', '>=', '>'] satisfies Operator[]

/** a < b is b > a. */
export const mirrored: { readonly [K in Operator]: Operator } = {
  '<': '>',
  '<=': '>=',
  '=': '=',
  '<>': '<>',
  '>=': '<=',
  '>': '<',
}
const holds: { readonly [K in Operator]: (order: number) => boolean } = {
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '=': (o) => o === 0,
  '<>': (o) => o !== 0,
  '>=': (o) => o >= 0,
  '>': (o) => o > 0,
}

/** A condition that is true on these codes, unknown where the value is NULL, false elsewhere. */
export function leaf(scope: Scope, { attribute }: Scalar, codes: Ranges): Predicate {
  const known = span(0, attribute.size - (nullCode(attribute) < 0 ? 1 : 2))
  return {
    kind: 'leaf',
    attribute: scope.universe.index.get(attribute.name)!,
    true: codes,
    false: intersect(complement(codes, attribute.size), known),
  }
}

/** A condition that looks at every value. */
export function scan(scope: Scope, node: unknown, scalar: Scalar, test: (value: Value) => boolean): Predicate {
  const size = knownCodes(scalar)
  compute(scope, node, scalar.attribute, size * scalar.cost)
  const codes = function* () {
    for (let code = 0; code < size; code++) if (test(scalar.at(code)!)) yield code
  }
  return leaf(scope, scalar, fromCodes(codes()))
}

/** `scalar operator constant`. */
export function compareTo(
  scope: Scope,
  node: unknown,
  scalar: Scalar,
  operator: Operator,
  constant: Constant,
): Predicate {
  const value = coerce(scope, node, constant, scalar)
  if (value === null) return { kind: 'constant', value: null }
  if (scalar.type === 'text' && (operator === '=' || operator === '<>')) {
    const equal = leaf(scope, scalar, listedCodes(scope, node, scalar, value as string))
    return operator === '=' ? equal : not(equal)
  }
  if (!scalar.ascending) return scan(scope, node, scalar, (v) => holds[operator](compareValues(v, value)))
  const size = knownCodes(scalar)
  const below = firstCode(size, (code) => compareValues(scalar.at(code)!, value) >= 0)
  const upTo = firstCode(size, (code) => compareValues(scalar.at(code)!, value) > 0)
  const equal = span(below, upTo - 1)
  const codes: { readonly [K in Operator]: () => Ranges } = {
    '<': () => span(0, below - 1),
    '<=': () => span(0, upTo - 1),
    '=': () => equal,
    '<>': () => complement(equal, size),
    '>=': () => span(below, size - 1),
    '>': () => span(upTo, size - 1),
  }
  return leaf(scope, scalar, codes[operator]())
}

/** `scalar IN (…)`: NULL in the list makes unknown what is not found in it. */
export function within(
  scope: Scope,
  node: unknown,
  scalar: Scalar,
  list: readonly { node: unknown; constant: Constant }[],
): Predicate {
  const items = list.map((item) => ({ ...item, value: coerce(scope, item.node, item.constant, scalar) }))
  const wanted = items.filter((item): item is typeof item & { value: Value } => item.value !== null)
  const sorted = () => wanted.map((item) => item.value).sort(compareValues)
  const found =
    scalar.type === 'text'
      ? leaf(scope, scalar, union(wanted.map((item) => listedCodes(scope, item.node, scalar, item.value as string))))
      : scalar.ascending
        ? leaf(scope, scalar, ascendingCodes(scalar, sorted()))
        : scan(scope, node, scalar, among(sorted()))
  return wanted.length < items.length && found.kind === 'leaf' ? { ...found, false: none } : found
}

const union = (sets: readonly Ranges[]): Ranges =>
  fromCodes([...new Set(sets.flatMap((s) => [...codesIn(s)]))].sort((a, b) => a - b))

function ascendingCodes(scalar: Scalar, wanted: readonly Value[]): Ranges {
  const size = knownCodes(scalar)
  const codes = new Set<number>()
  for (const value of wanted) {
    const code = firstCode(size, (c) => compareValues(scalar.at(c)!, value) >= 0)
    if (code < size && compareValues(scalar.at(code)!, value) === 0) codes.add(code)
  }
  return fromCodes(codes)
}

/** Whether a value is one of the sorted ones. */
const among = (sorted: readonly Value[]) => (value: Value) => {
  const at = firstCode(sorted.length, (i) => compareValues(sorted[i]!, value) >= 0)
  return at < sorted.length && compareValues(sorted[at]!, value) === 0
}

/** The first of 0 … size for which the test holds, where it holds for all after that. */
function firstCode(size: number, test: (code: number) => boolean): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The codes of a text; throws where it is none of the attribute's. */
export function listedCodes(scope: Scope, node: unknown, { attribute }: Scalar, text: string): Ranges {
  const codes = codesByLabel(attribute).get(text)
  if (!codes) throw unlisted(scope, node, attribute, text)
  return fromCodes(codes)
}

/** `constant operator constant`, such as 1 = 1. */
export function compareConstants(scope: Scope, node: unknown, a: Constant, operator: Operator, b: Constant): Predicate {
  if (a.type === 'null' || b.type === 'null') return { kind: 'constant', value: null }
  if (a.type !== b.type) throw unsupported(scope, node, 'literals of different types cannot be compared')
  return { kind: 'constant', value: holds[operator](compareValues(a.value, b.value)) }
}
