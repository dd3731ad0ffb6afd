import type { Node } from '@pgsql/types'

import { insteadOf } from '../alternatives.ts'
import { plainName, type Scope, strings, unsupported } from '../scope.ts'

/** One item of the SELECT list. */
export interface Target {
  readonly node: Node
  readonly alias?: string
  /** What PostgreSQL would call the column. */
  readonly name: string
}

export function targets(scope: Pick<Scope, 'text'>, list: readonly Node[] | undefined): Target[] {
  const found = (list ?? []).flatMap((n) => ('ResTarget' in n && n.ResTarget.val ? [n.ResTarget] : []))
  if (found.length === 0) throw unsupported(scope, undefined, 'the SELECT list is empty')
  const star = found.find(({ val }) => 'ColumnRef' in val! && 'A_Star' in (val.ColumnRef.fields?.at(-1) ?? {}))
  if (star) throw unsupported(scope, star, 'SELECT * is not supported', insteadOf('A_Star'))
  return found.map(({ val, name }) => ({ node: val!, name: name ?? columnName(val!), ...(name && { alias: name }) }))
}

/** PostgreSQL's name for a column without AS. */
export function columnName(node: Node): string {
  if ('ColumnRef' in node) return strings(node.ColumnRef.fields).at(-1)!
  if ('FuncCall' in node) return plainName(node.FuncCall.funcname)
  if ('CaseExpr' in node) return 'case'
  if ('TypeCast' in node) {
    const inner = columnName(node.TypeCast.arg!)
    return inner === '?column?' ? plainName(node.TypeCast.typeName?.names) : inner
  }
  return '?column?'
}

/** What a number in GROUP BY or ORDER BY stands for: an item of the SELECT list, counted from 1. */
export function targetAt(scope: Scope, clause: string, node: Node, list: readonly Target[]): Target | undefined {
  if (!('A_Const' in node)) return undefined
  const position = node.A_Const.ival ? (node.A_Const.ival.ival ?? 0) : undefined
  if (position === undefined) throw unsupported(scope, node, `a constant in ${clause} must be a position`)
  const target = list[position - 1]
  if (!target) throw unsupported(scope, node, `${clause} position ${position} is not in the SELECT list`)
  return target
}

/** The item of the SELECT list that a bare name is the alias of. */
export function targetNamed(node: Node, list: readonly Target[]): Target | undefined {
  const path = 'ColumnRef' in node ? strings(node.ColumnRef.fields) : []
  return path.length === 1 ? list.find((t) => t.alias === path[0]) : undefined
}
