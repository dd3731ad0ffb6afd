import type { Node, SelectStmt } from '@pgsql/types'
import { isAggregate } from '../expression/aggregate.ts'
import { operand } from '../expression/expression.ts'
import type { Quantity } from '../expression/quantity.ts'
import type { Constant } from '../expression/scalar.ts'
import { plainName, quoteName, unsupported } from '../scope.ts'
import type { Operand } from '../statement.ts'
import type { GroupAxis } from './groups.ts'
import type { Keyed } from './row-order.ts'
import type { Rows } from './rows.ts'

/** What the result is made of: aggregates over the rows, and the keys of the groups. */
export interface Result extends Rows {
  readonly axes: readonly Pick<GroupAxis, 'scalar' | 'labels'>[]
  /** The rows by their keys, whether they hold all records, and where totals of others begin. */
  readonly grouped: Keyed & { readonly isWhole: boolean; readonly firstTotal?: number }
  /** The WINDOW clause. */
  readonly windows: readonly Node[]
  /** What a name in OVER stands for, where the SELECT list has it. */
  readonly aliased: (node: Node) => Node
  /** Reads arithmetic over aggregates. */
  readonly quantity: (result: Result, node: Node) => Quantity
  /** A subquery as a SELECT from the table itself. */
  readonly flattened: (select: SelectStmt) => { readonly select: SelectStmt; readonly table: string }
}

/** A column as round(…), round(…, n) or a cast to numeric(p, n) or an integer: what is rounded, and to how many digits. */
export function rounded(result: Result, node: Node): { of: Node; decimals?: number } {
  const digits = (of: Node | undefined) => ('A_Const' in (of ?? {}) ? (operand(result, of!) as Constant) : undefined)
  if ('FuncCall' in node && plainName(node.FuncCall.funcname) === 'round' && hasAggregate(node)) {
    const [of, places] = node.FuncCall.args ?? []
    const decimals = places ? digits(places) : undefined
    if (!places) return { of: of!, decimals: 0 }
    if (decimals?.type === 'number' && decimals.integer && Math.abs(Number(decimals.text)) <= 15)
      return { of: of!, decimals: Number(decimals.text) }
  }
  if ('TypeCast' in node && hasAggregate(node)) {
    const { arg, typeName } = node.TypeCast
    const scale = digits(typeName?.typmods?.[1])
    if (plainName(typeName?.names) === 'numeric' && scale?.type === 'number')
      return { of: arg!, decimals: Number(scale.text) }
    const isCount = 'FuncCall' in arg! && plainName(arg.FuncCall.funcname) === 'count'
    if (/^int[248]$/.test(plainName(typeName?.names)) && !isCount) return { of: arg!, decimals: 0 }
  }
  return { of: node }
}

/** Whether an aggregate stands anywhere in an expression. */
export function hasAggregate(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false
  if ('FuncCall' in node) {
    const call = (node as Extract<Node, { FuncCall: unknown }>).FuncCall
    if (call.over || isAggregate(call)) return true
  }
  return Object.values(node).some(hasAggregate)
}

/** Whether a window function does. */
export function hasWindow(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false
  return 'over' in node || Object.values(node).some(hasWindow)
}

/** The axis whose grouped value this is; undefined for a constant. */
export function axisOf(result: Result, node: Node): number | undefined {
  const of = operand(result, node)
  if (of.kind === 'constant') return undefined
  const axis = result.axes.findIndex((a) => a.scalar.signature === of.signature)
  if (axis < 0)
    throw unsupported(
      result,
      node,
      `${of.attribute.name} must appear in the GROUP BY clause or be used in an aggregate function`,
      `Records are never shown. Add GROUP BY ${quoteName(of.attribute.name)} and COUNT(*), or take AVG(…) or SUM(…) of it.`,
    )
  return axis
}

/** An operand whose literal has no type yet. */
export type Side = Exclude<Operand, { kind: 'literal' }> | { kind: 'literal'; constant: Constant }

/** One side of a comparison in HAVING, or what ORDER BY sorts by. */
export function side(result: Result, node: Node): Side {
  if (hasAggregate(node)) return result.parts.lower(result.quantity(result, node))
  const axis = axisOf(result, node)
  if (axis !== undefined) return { kind: 'key', axis }
  return { kind: 'literal', constant: operand(result, node) as Constant }
}

/** A literal beside an aggregate is a number or NULL. */
export function asOperand(result: Result, node: Node, of: Side): Operand {
  if (of.kind !== 'literal') return of
  if (of.constant.type === 'null') return { kind: 'literal', value: null }
  if (of.constant.type === 'number') return { kind: 'constant', value: of.constant.value }
  throw unsupported(result, node, 'an aggregate can be compared with a number only')
}
