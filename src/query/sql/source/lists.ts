import type { A_Expr, Node } from '@pgsql/types'
import { plainName } from '../scope.ts'
import type { Copies } from './copies.ts'

/** A copy of a part of the tree, its children changed. */
export function withChildren<T>(value: T, change: (child: unknown) => unknown): T {
  if (Array.isArray(value)) return value.map(change) as T
  const copy: { [field: string]: unknown } = {}
  for (const field in value) copy[field] = change(value[field])
  return copy as T
}

/** x = ANY (ARRAY[…]) as x IN (…), and rows compared with rows, (x, y) IN ((1, 2), (3, 4)), column by column. */
export function withoutLists<T>(value: T, copies: Copies): T {
  if (value === null || typeof value !== 'object') return value
  const plain: T = withChildren(value, (child) => withoutLists(child, copies))
  const e = 'A_Expr' in value ? (plain as { A_Expr: A_Expr }).A_Expr : undefined
  return ((e && (membership(e) ?? rowComparison(e, copies))) ?? plain) as T
}

function membership(e: A_Expr): Node | undefined {
  const wanted = e.kind === 'AEXPR_OP_ANY' ? '=' : e.kind === 'AEXPR_OP_ALL' ? '<>' : undefined
  if (plainName(e.name) !== wanted || !e.rexpr || !('A_ArrayExpr' in e.rexpr)) return undefined
  return { A_Expr: { ...e, kind: 'AEXPR_IN', rexpr: { List: { items: e.rexpr.A_ArrayExpr.elements ?? [] } } } }
}

function rowComparison(e: A_Expr, copies: Copies): Node | undefined {
  const left = rowAt(e.lexpr)
  const operator = plainName(e.name)
  if (!left || (operator !== '=' && operator !== '<>')) return undefined
  const list = e.kind === 'AEXPR_IN' ? e.rexpr && 'List' in e.rexpr && e.rexpr.List.items : [e.rexpr]
  const rows = (list || []).map(rowAt)
  if (!rows.every((row) => row?.length === left.length)) return undefined
  const equal = (a: Node, b: Node): Node => ({
    A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: a, rexpr: b, location: e.location },
  })
  const any = joined(
    'OR_EXPR',
    rows.map((row) =>
      joined(
        'AND_EXPR',
        left.map((item, i) => equal(copies.of(item), row![i]!)),
      ),
    ),
  )
  return operator === '=' ? any : { BoolExpr: { boolop: 'NOT_EXPR', args: [any] } }
}

const rowAt = (node: Node | undefined): Node[] | undefined =>
  node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : undefined

const joined = (boolop: 'AND_EXPR' | 'OR_EXPR', args: Node[]): Node =>
  args.length === 1 ? args[0]! : { BoolExpr: { boolop, args } }

/** PERCENTILE_CONT(ARRAY[0.25, 0.75]) as a column for each. */
export function eachShare(targets: readonly Node[]): Node[] {
  return targets.flatMap((target) => {
    const { val, name, ...rest } = 'ResTarget' in target ? target.ResTarget : {}
    const call = val && 'FuncCall' in val && val.FuncCall.args?.length === 1 ? val.FuncCall : undefined
    const [list] = call?.args ?? []
    if (!call || !list || !('A_ArrayExpr' in list) || !call.agg_within_group) return [target]
    return (list.A_ArrayExpr.elements ?? []).map((share): Node => {
      const label = 'A_Const' in share ? (share.A_Const.fval?.fval ?? '') : ''
      return {
        ResTarget: {
          ...rest,
          name: `${name ?? plainName(call.funcname)} ${label}`,
          val: { FuncCall: { ...call, args: [share] } },
        },
      }
    })
  })
}
