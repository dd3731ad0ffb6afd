import { parseRational, toNumber } from '../../../numeric/index.ts'
import { compareText } from '../expression/scalar.ts'
import type { Condition, Key, Operand, Order, Statement } from '../statement.ts'
import { evaluate } from './evaluate.ts'

/** One row of a result. */
interface Row {
  /** Its place in the parts' answers, the last axis running fastest. */
  readonly group: number
  /** The key on each axis. */
  readonly keys: readonly Key[]
  /** One per column; null is NULL. */
  readonly cells: readonly Key[]
}

/**
 * The rows of the result, after HAVING, ORDER BY, OFFSET and LIMIT. `values` holds per part its answers per group, in
 * the data's own units. Rows that ORDER BY leaves equal keep the order of the groups.
 */
export function arrange(statement: Statement, values: readonly ArrayLike<number>[]): Row[] {
  const { axes, columns, having, orderBy, offset = 0, limit } = statement
  const size = axes.reduce((n, axis) => n * axis.labels.length, 1)
  const places = axes.map(({ labels, inOrder }) => inOrder && new Map(labels.map((key, place) => [key, place])))
  const kept: { row: Row; sortBy: readonly Key[] }[] = []
  const parts = new Float64Array(values.length)
  for (let group = 0; group < size; group++) {
    for (let p = 0; p < parts.length; p++) parts[p] = values[p]![group]!
    const keys = keysOf(statement, group)
    if (having && holds(having, keys, parts) !== true) continue
    const cells = columns.map((c) => (c.kind === 'key' ? keys[c.axis]! : known(evaluate(c.expression, parts))))
    kept.push({ row: { group, keys, cells }, sortBy: orderBy.map((o) => sortKey(o.by, places, keys, parts)) })
  }
  if (orderBy.length > 0) kept.sort((a, b) => compareRows(orderBy, a.sortBy, b.sortBy))
  return kept.slice(offset, limit === undefined ? undefined : offset + limit).map(({ row }) => row)
}

function keysOf({ axes }: Statement, group: number): Key[] {
  const keys = new Array<Key>(axes.length)
  for (let i = axes.length - 1, rest = group; i >= 0; i--) {
    const { labels } = axes[i]!
    keys[i] = labels[rest % labels.length]!
    rest = Math.floor(rest / labels.length)
  }
  return keys
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

function operandValue(of: Operand, keys: readonly Key[], parts: ArrayLike<number>): Key {
  if (of.kind === 'key') return keys[of.axis]!
  return of.kind === 'literal' ? of.value : known(evaluate(of, parts))
}

/** What ORDER BY compares: of bins where they stand, since [5, 10) comes before [10, 20). */
function sortKey(
  of: Operand,
  places: readonly (ReadonlyMap<Key, number> | undefined)[],
  keys: readonly Key[],
  parts: ArrayLike<number>,
): Key {
  const value = operandValue(of, keys, parts)
  const place = of.kind === 'key' && value !== null ? places[of.axis] : undefined
  return place ? place.get(value)! : value
}

/** SQL's three-valued logic; null is unknown. */
function holds(c: Condition, keys: readonly Key[], parts: ArrayLike<number>): boolean | null {
  switch (c.kind) {
    case 'is-null':
      return operandValue(c.of, keys, parts) === null
    case 'not': {
      const of = holds(c.of, keys, parts)
      return of === null ? null : !of
    }
    case 'compare': {
      const left = operandValue(c.left, keys, parts)
      const right = operandValue(c.right, keys, parts)
      return left === null || right === null ? null : comparisons[c.operator](compareKeys(left, right))
    }
    default: {
      const decisive = c.kind === 'or'
      const left = holds(c.left, keys, parts)
      if (left === decisive) return decisive
      const right = holds(c.right, keys, parts)
      return right === decisive ? decisive : left === null || right === null ? null : !decisive
    }
  }
}

const comparisons: {
  readonly [K in Extract<Condition, { kind: 'compare' }>['operator']]: (order: number) => boolean
} = {
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '=': (o) => o === 0,
  '<>': (o) => o !== 0,
  '>=': (o) => o >= 0,
  '>': (o) => o > 0,
}

/** Keys of one kind; a number that no double holds is a text such as 1/3. */
function compareKeys(a: Exclude<Key, null>, b: Exclude<Key, null>): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const [x, y] = [a, b].map((text) => (text.includes('/') ? parseRational(text) : undefined))
    return x && y ? toNumber(x) - toNumber(y) : compareText(a, b)
  }
  return number(a) - number(b)
}
const number = (key: Exclude<Key, null>) => (typeof key === 'string' ? toNumber(parseRational(key)!) : Number(key))

function compareRows(orderBy: readonly Order[], a: readonly Key[], b: readonly Key[]): number {
  for (const [i, { descending, nullsFirst }] of orderBy.entries()) {
    const [x, y] = [a[i]!, b[i]!]
    if (x === null || y === null) {
      if (x === y) continue
      return (x === null) === nullsFirst ? -1 : 1
    }
    const order = compareKeys(x, y)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
