import type { FuncCall, Node } from '@pgsql/types'
import { plainName, type Scope, unsupported } from '../scope.ts'
import type { Select } from './select.ts'

/** MODE() WITHIN GROUP (ORDER BY x), or MODE(x), is the group of x that most records are in. */
export function withoutMode(scope: Pick<Scope, 'text'>, select: Select): Select {
  const place = modeIn(select)
  if (!place) return select
  const [target, another] = select.targetList ?? []
  const { val, name = 'mode' } = target && 'ResTarget' in target ? target.ResTarget : {}
  const call = val && 'FuncCall' in val && val.FuncCall === place ? val.FuncCall : undefined
  const [order] = call?.agg_order ?? []
  const of = call?.args?.[0] ?? (order && 'SortBy' in order ? order.SortBy.node : undefined)
  const clauses = ['groupClause', 'havingClause', 'qualifyClause', 'sortClause', 'limitCount', 'limitOffset'] as const
  if (!of || another || call!.over || clauses.some((clause) => select[clause] !== undefined))
    throw unsupported(
      scope,
      { FuncCall: place },
      'MODE must be the only column, without GROUP BY',
      'In groups of g ask SELECT g, x, COUNT(*) … GROUP BY g, x ORDER BY g, 3 DESC: the first of each is its mode.',
    )
  const isKnown: Node = { NullTest: { arg: of, nulltesttype: 'IS_NOT_NULL' } }
  const where = [select.whereClause, call!.agg_filter, isKnown].filter((node) => node !== undefined)
  const count: Node = { FuncCall: { funcname: [{ String: { sval: 'count' } }], agg_star: true } }
  return {
    ...select,
    whereClause: { BoolExpr: { boolop: 'AND_EXPR', args: where } },
    targetList: [{ ResTarget: { name, val: of } }, { ResTarget: { name: 'count', val: count } }],
    groupClause: [of],
    sortClause: [{ SortBy: { node: count, sortby_dir: 'SORTBY_DESC', sortby_nulls: 'SORTBY_NULLS_DEFAULT' } }],
    limitCount: { A_Const: { ival: { ival: 1 } } },
  }
}

function modeIn(node: unknown): FuncCall | undefined {
  if (node === null || typeof node !== 'object') return undefined
  if ('FuncCall' in node) {
    const call = node.FuncCall as FuncCall
    if (plainName(call.funcname) === 'mode') return call
  }
  for (const child of Object.values(node)) {
    const found = modeIn(child)
    if (found) return found
  }
  return undefined
}
