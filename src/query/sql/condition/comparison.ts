import { isCoarse, isNumber, knownCodes } from '../../../schema/index.ts'
import { codesByLabel, coerce, unlisted } from '../expression/literal.ts'
import { type Computed, type Constant, compareValues, type Scalar, type Value } from '../expression/scalar.ts'
import { compute, fault, type Scope, unsupported } from '../scope.ts'
import { type Asked, offTheGrid, reachesNone, spanText, splits } from './edges.ts'
import { isInOrder, type Operator } from './operator.ts'
import { not, type Predicate } from './predicate.ts'
import { codesIn, complement, fromCodes, intersect, none, type Ranges, span } from './ranges.ts'

/** A condition that is true on these codes, unknown where the value is NULL, false elsewhere. */
export function leaf(scope: Scope, { attribute }: Scalar, codes: Ranges): Predicate {
  const known = span(0, knownCodes(attribute) - 1)
  return {
    kind: 'leaf',
    attribute: scope.universe.index.get(attribute.name)!,
    true: codes,
    false: intersect(complement(codes, attribute.size), known),
  }
}

/** A condition that looks at every value. */
function scan(scope: Scope, node: unknown, scalar: Scalar, test: (value: Value) => boolean): Predicate {
  const size = knownCodes(scalar.attribute)
  compute(scope, node, scalar.attribute, size)
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
  const asked = { scope, node, scalar, operator, value }
  if (scalar.type === 'text' || scalar.type === 'boolean')
    return scan(scope, node, scalar, (v) => isInOrder[operator](compareValues(v, value)))
  return leaf(scope, scalar, operator === '=' || operator === '<>' ? equalCodes(asked) : sideCodes(asked))
}

/** The codes whose every value is on one side of the constant; refused where that side has none, or a code has both. */
function sideCodes(asked: Asked): Ranges {
  const { scalar, operator, value } = asked
  const size = knownCodes(scalar.attribute)
  const test = (v: Value | null) => isInOrder[operator](compareValues(v!, value))
  const isUpper = operator === '<' || operator === '<='
  const begin = firstCode(size, (code) => test(scalar.at(code)) !== isUpper)
  const end = firstCode(size, (code) => test(scalar.last(code)) !== isUpper)
  if (end < begin) throw splits(asked, end)
  const codes = isUpper ? span(0, begin - 1) : span(begin, size - 1)
  refuseOffGrid(asked)
  if (codes.length === 0) throw reachesNone(asked)
  return codes
}

/** The least and the greatest value of a function on what a code stands for, one and the same where that is one value. */
function endsAt({ attribute, at, last }: Scalar, code: number): readonly [low: Value, high: Value] {
  const first = at(code)!
  if (!isCoarse(attribute)) return [first, first]
  const end = last(code)!
  return compareValues(first, end) <= 0 ? [first, end] : [end, first]
}

/** Between two values of a grid, a bound would mean something else to whoever does not know the grid. */
function refuseOffGrid(asked: Asked): void {
  const { scalar, value } = asked
  if (isCoarse(scalar.attribute) || scalar.type !== 'number') return
  const size = knownCodes(scalar.attribute)
  const code = firstCode(size, (c) => compareValues(scalar.at(c)!, value) >= 0)
  if (code > 0 && code < size && compareValues(scalar.at(code)!, value) !== 0) throw offTheGrid(asked, code)
}

/** The codes that have this very value, and no other; refused where none has, or where one has others too. */
function equalCodes(asked: Asked): Ranges {
  const { scalar, operator } = asked
  const size = knownCodes(scalar.attribute)
  const equal = fromCodes(valueCodes(scalar, [asked]))
  return operator === '=' ? equal : complement(equal, size)
}

/** The codes that have one of these values, ascending. */
function valueCodes(scalar: Scalar, wanted: readonly Asked[]): number[] {
  const size = knownCodes(scalar.attribute)
  const sorted = wanted
    .toSorted((a, b) => compareValues(a.value, b.value))
    .filter(({ value }, i, all) => i === 0 || compareValues(value, all[i - 1]!.value) !== 0)
  const codes = new Set<number>()
  const found = new Set<Asked>()
  const look = (code: number) => {
    const [low, high] = endsAt(scalar, code)
    const from = firstCode(sorted.length, (i) => compareValues(sorted[i]!.value, low) >= 0)
    for (let i = from; i < sorted.length && compareValues(sorted[i]!.value, high) <= 0; i++) {
      if (compareValues(low, high) !== 0) throw splits(sorted[i]!, code)
      codes.add(code)
      found.add(sorted[i]!)
    }
  }
  for (const { value } of sorted) {
    const code = firstCode(size, (c) => compareValues(scalar.last(c)!, value) >= 0)
    if (code < size) look(code)
  }
  for (const asked of sorted) {
    if (found.has(asked)) continue
    refuseOffGrid(asked)
    throw reachesNone(asked)
  }
  return [...codes].sort((a, b) => a - b)
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
  const asked = wanted.map((item) => ({ scope, node: item.node, scalar, operator: '=', value: item.value }) as const)
  const found =
    scalar.type === 'text'
      ? leaf(scope, scalar, union(wanted.map((item) => listedCodes(scope, item.node, scalar, item.value as string))))
      : scalar.type === 'boolean'
        ? scan(scope, node, scalar, (value) => wanted.some((item) => item.value === value))
        : leaf(scope, scalar, fromCodes(valueCodes(scalar, asked)))
  return wanted.length < items.length && found.kind === 'leaf' ? { ...found, false: none } : found
}

const union = (sets: readonly Ranges[]): Ranges =>
  fromCodes([...new Set(sets.flatMap((s) => [...codesIn(s)]))].sort((a, b) => a - b))

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
  return { kind: 'constant', value: isInOrder[operator](compareValues(a.value, b.value)) }
}

/** A condition that was computed at every cell; refused where it is true of none, which is a slip far more often than meant. */
export function computedCondition(scope: Scope, node: unknown, of: Computed): Predicate {
  if (of.type !== 'boolean')
    throw unsupported(scope, node, 'this is not a condition', 'Compare it with something: age >= 18.')
  if (of.values.length === 0) return { kind: 'constant', value: null }
  const yes = of.values.indexOf(true)
  if (yes < 0) {
    const spans = of.attributes.filter((a) => isNumber(a) || a.kind === 'date').map(spanText)
    throw fault(
      scope,
      node,
      'not-an-edge',
      `no value of ${of.attributes.map(({ name }) => name).join(' and ')} makes this true`,
      spans.join(' ') || `None of the values that the policy lists satisfies it.`,
      { attribute: of.attribute.name, nearest: [] },
    )
  }
  return onCells(scope, of, (place) => (place < 0 ? -1 : place === yes ? 1 : 0))
}

/** True where a computed value is not NULL, unknown elsewhere. */
export const isKnown = (scope: Scope, of: Computed): Predicate => onCells(scope, of, (place) => (place < 0 ? -1 : 1))

function onCells({ universe }: Scope, { attributes, places }: Computed, truthOf: (place: number) => number): Predicate {
  const indices = attributes.map(({ name }) => universe.index.get(name)!)
  const truth = Int8Array.from(places, truthOf)
  if (indices.length > 1) return { kind: 'joint', attributes: indices, truth }
  const codes = (wanted: number) => fromCodes(truth.keys().filter((code) => truth[code] === wanted))
  return { kind: 'leaf', attribute: indices[0]!, true: codes(1), false: codes(0) }
}
