import type { Node, SelectStmt } from '@pgsql/types'
import { insteadOf } from '../alternatives.ts'
import { condition } from '../condition/condition.ts'
import { always } from '../condition/predicate.ts'
import { type Quantity, restQuantity } from '../expression/quantity.ts'
import { unsupported } from '../scope.ts'
import { rowCount } from './arrange.ts'
import { hasAggregate, type Result } from './result.ts'
import { overFrames } from './window.ts'

const more: readonly (keyof SelectStmt)[] = [
  'groupClause',
  'havingClause',
  'distinctClause',
  'sortClause',
  'limitCount',
  'limitOffset',
  'windowClause',
  'larg',
]

/**
 * (SELECT COUNT(*) FROM t WHERE …): one number about the table. Beside groups it is asked in the same groups, and added up: the
 * groups hold all records, and a share needs both.
 */
export function subqueryQuantity(result: Result, node: Extract<Node, { SubLink: unknown }>): Quantity {
  const { subLinkType, subselect } = node.SubLink
  const refuse = (what: string) => unsupported(result, node, what, insteadOf('SubLink'))
  if (subLinkType !== 'EXPR_SUBLINK' || !subselect || !('SelectStmt' in subselect))
    throw refuse('a subquery of this kind is not supported')
  const { select, table } = result.flattened(subselect.SelectStmt)
  const [target, another] = select.targetList ?? []
  const of = target && 'ResTarget' in target ? target.ResTarget.val : undefined
  if (!of || another || more.some((clause) => select[clause] !== undefined) || !hasAggregate(of))
    throw refuse('a subquery in a column must be one aggregate of the whole table')
  const inner = { ...result, table }
  const where = select.whereClause ? condition(inner, select.whereClause) : always
  const found = result.quantity({ ...inner, where }, of)
  if (result.axes.length === 0) return found
  const { grouped } = result
  if (!grouped.isWhole) throw refuse('the groups do not cover all records of this subquery')
  const all = [...Array(rowCount(grouped)).keys()].slice(0, grouped.firstTotal)
  const frames = Array.from({ length: rowCount(grouped) }, () => all)
  return restQuantity(
    overFrames(result.parts.lower(found), (part) => ({ kind: 'window-sum', part, frames, includesRow: true })),
  )
}
