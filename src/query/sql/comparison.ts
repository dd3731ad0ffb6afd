import { nullCode } from '../../schema/index.ts'
import { knownCodes } from './expression.ts'
import { coerce, labelsOf, unlisted } from './literal.ts'
import type { Predicate } from './predicate.ts'
import { complement, fromCodes, intersect, none, type Ranges, span } from './ranges.ts'
import { type Constant, compareValues, type Scalar, type Value } from './scalar.ts'
import { fault, type Scope } from './scope.ts'

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

/** What one code of a function of an attribute costs to look at, in steps: exact arithmetic is slow. */
const stepsPerCode = 10

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
export function scan(scope: Scope, scalar: Scalar, test: (value: Value) => boolean): Predicate {
  const size = knownCodes(scalar)
  scope.work.take(size * stepsPerCode)
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
  const equality = operator === '=' || operator === '<>'
  if (scalar.type === 'text' && equality) requireListed(scope, node, scalar, value as string)
  if (!scalar.ascending) return scan(scope, scalar, (v) => holds[operator](compareValues(v, value)))
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
  scalar: Scalar,
  list: readonly { node: unknown; constant: Constant }[],
): Predicate {
  const values = list.map(({ node, constant }) => {
    const value = coerce(scope, node, constant, scalar)
    if (value !== null && scalar.type === 'text') requireListed(scope, node, scalar, value as string)
    return value
  })
  const wanted = values.filter((v) => v !== null).sort(compareValues)
  const found = scalar.ascending
    ? leaf(scope, scalar, ascendingCodes(scalar, wanted))
    : scan(scope, scalar, among(wanted))
  return values.includes(null) && found.kind === 'leaf' ? { ...found, false: none } : found
}

function ascendingCodes(scalar: Scalar, wanted: readonly Value[]): Ranges {
  const size = knownCodes(scalar)
  const codes = new Set<number>()
  for (const value of wanted) {
    const code = firstCode(size, (c) => compareValues(scalar.at(c)!, value) >= 0)
    if (code < size && compareValues(scalar.at(code)!, value) === 0) codes.add(code)
  }
  return fromCodes([...codes].sort((a, b) => a - b))
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

function requireListed(scope: Scope, node: unknown, { attribute }: Scalar, text: string): void {
  scope.work.take(attribute.size)
  if (!labelsOf(attribute).includes(text)) throw unlisted(scope, node, attribute, text)
}

/** `constant operator constant`, such as 1 = 1. */
export function compareConstants(scope: Scope, node: unknown, a: Constant, operator: Operator, b: Constant): Predicate {
  if (a.type === 'null' || b.type === 'null') return { kind: 'constant', value: null }
  if (a.type !== b.type) throw fault(scope, node, 'sql-unsupported', 'literals of different types cannot be compared')
  return { kind: 'constant', value: holds[operator](compareValues(a.value, b.value)) }
}
