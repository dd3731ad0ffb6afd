import { isInOrder } from '../condition/operator.ts'
import type { Condition, Expression, Key, Operand, Statement } from '../statement.ts'
import { evaluate } from './evaluate.ts'
import { compareKeys, keyAt, keysOf, rowOrder, untold } from './row-order.ts'
import { WindowValues } from './window-values.ts'

/** One row of a result. */
interface Row {
  /** Its place among all rows; without `rows` that in the parts' answers, the last axis running fastest. */
  readonly group: number
  /** The key on each axis. */
  readonly keys: readonly Key[]
  /** One per column; null is NULL. */
  readonly cells: readonly Key[]
}

/** Per part or quantile its answers per group, in the data's own units. */
type Values = readonly ArrayLike<number>[]

/** Whether a row's number says nothing: HAVING takes it for NULL, and ORDER BY puts it last whichever way it sorts. */
type Unknown = (e: Expression, row: number) => boolean

/** What an operand is in a row; or that it is not told. */
type ValueIn = (of: Operand, row: number) => Key | typeof untold

/** How many rows a result has, before HAVING and LIMIT. */
export const rowCount = ({ axes, rows }: Pick<Statement, 'axes' | 'rows'>): number =>
  rows?.length ?? axes.reduce((n, { labels }) => n * labels.length, 1)

/**
 * The rows of the result, after HAVING, ORDER BY, OFFSET and LIMIT. Rows that ORDER BY leaves equal keep the order of the
 * groups.
 */
export function arrange(
  statement: Statement,
  values: Values,
  quantiles: Values = [],
  isUnknown: Unknown = () => false,
): Row[] {
  const { columns, having, orderBy, offset = 0, limit } = statement
  const size = rowCount(statement)
  const { valueIn, numberIn } = valuesOf(statement, values, quantiles, isUnknown)
  const kept: { row: Row; sortBy: readonly (Key | typeof untold)[] }[] = []
  for (let group = 0; group < size; group++) {
    if (having && holds(having, (of) => toldIn(valueIn(of, group))) !== true) continue
    const keys = keysOf(statement, group)
    const cells = columns.map((c) => (c.kind === 'key' ? keys[c.axis]! : numberIn(c.expression, group)))
    kept.push({ row: { group, keys, cells }, sortBy: orderBy.map((o) => valueIn(o.by, group)) })
  }
  const compareRows = rowOrder(statement, orderBy)
  if (orderBy.length > 0) kept.sort((a, b) => compareRows(a.sortBy, b.sortBy))
  return kept.slice(offset, limit === undefined ? undefined : offset + limit).map(({ row }) => row)
}

const toldIn = (value: Key | typeof untold): Key => (value === untold ? null : value)

function valuesOf(statement: Statement, values: Values, quantiles: Values, isUnknown: Unknown) {
  const added = addedUp(statement, values)
  const numberIn = (e: Expression, row: number): number | null => {
    const [numbers, others] = [added, quantiles].map((all) => all.map((each) => each[row]!)) as [number[], number[]]
    const value = evaluate(e, numbers, others, (window) => windows.at(window, row))
    return Number.isNaN(value) ? null : value
  }
  const valueIn: ValueIn = (of, row) => {
    if (of.kind === 'literal') return of.value
    if (of.kind === 'key') return keyAt(statement, row, of.axis)
    return isUnknown(of, row) ? untold : numberIn(of, row)
  }
  const windows = new WindowValues(added, (by) => {
    const known = new Map<number, readonly (Key | typeof untold)[]>()
    const at = (row: number) => {
      if (!known.has(row))
        known.set(
          row,
          by.map((order) => valueIn(order.by, row)),
        )
      return known.get(row)!
    }
    const compare = rowOrder(statement, by)
    return (a, b) => compare(at(a), at(b))
  })
  return { valueIn, numberIn }
}

/** The parts' answers by rows of the result. */
function addedUp({ rows }: Statement, values: Values): Values {
  if (!rows) return values
  return values.map((of) => Float64Array.from(rows, ({ groups }) => groups.reduce((sum, group) => sum + of[group]!, 0)))
}

/** SQL's three-valued logic; null is unknown. */
function holds(c: Condition, value: (of: Operand) => Key): boolean | null {
  switch (c.kind) {
    case 'is-null':
      return value(c.of) === null
    case 'not': {
      const of = holds(c.of, value)
      return of === null ? null : !of
    }
    case 'compare': {
      const left = value(c.left)
      const right = value(c.right)
      return left === null || right === null ? null : isInOrder[c.operator](compareKeys(left, right))
    }
    default: {
      const decisive = c.kind === 'or'
      const left = holds(c.left, value)
      if (left === decisive) return decisive
      const right = holds(c.right, value)
      return right === decisive ? decisive : left === null || right === null ? null : !decisive
    }
  }
}
