import type { Node } from '@pgsql/types'
import { isCoarse } from '../../../schema/index.ts'
import { listedCodes } from '../condition/comparison.ts'
import { listItems } from '../condition/condition.ts'
import { mirrored, type Operator, operators } from '../condition/operator.ts'
import { coerce } from '../expression/literal.ts'
import { plainName, strings, unsupported } from '../scope.ts'
import type { Condition } from '../statement.ts'
import { keyOf } from './groups.ts'
import { asOperand, type Result, type Side, side } from './result.ts'

/** HAVING: a condition on the noisy result. */
export function having(result: Result, node: Node): Condition {
  if ('BoolExpr' in node) {
    const parts = (node.BoolExpr.args ?? []).map((n) => having(result, n))
    if (node.BoolExpr.boolop === 'NOT_EXPR') return { kind: 'not', of: parts[0]! }
    return joined(node.BoolExpr.boolop === 'AND_EXPR' ? 'and' : 'or', parts)
  }
  if ('NullTest' in node) {
    const of = asOperand(result, node, sideOf(result, node.NullTest.arg!))
    const missing: Condition = { kind: 'is-null', of }
    return node.NullTest.nulltesttype === 'IS_NOT_NULL' ? { kind: 'not', of: missing } : missing
  }
  if ('A_Expr' in node) return comparison(result, node)
  if ('ColumnRef' in node) {
    const yes: Side = { kind: 'literal', constant: { kind: 'constant', type: 'boolean', value: true } }
    return compare(result, node, sideOf(result, node), '=', yes)
  }
  throw unsupported(
    result,
    node,
    'this is not supported in HAVING',
    'Compare an aggregate with a constant: HAVING COUNT(*) > 100.',
  )
}

/** A name that the SELECT list gives stands for what it names, as in DuckDB; an attribute of that name comes first. */
function sideOf(result: Result, node: Node): Side {
  const path = 'ColumnRef' in node ? strings(node.ColumnRef.fields) : []
  return side(result, path.length === 1 && result.universe.index.has(path[0]!) ? node : result.aliased(node))
}

const joined = (kind: 'and' | 'or', parts: readonly Condition[]): Condition =>
  parts.reduce((left, right) => ({ kind, left, right }))

function comparison(result: Result, node: Extract<Node, { A_Expr: unknown }>): Condition {
  const { kind, name, lexpr, rexpr } = node.A_Expr
  const operator = plainName(name)
  const not = (of: Condition, negated: boolean): Condition => (negated ? { kind: 'not', of } : of)
  const to = (operation: Operator, other: Node) =>
    compare(result, other, sideOf(result, lexpr!), operation, sideOf(result, other))
  if (kind === 'AEXPR_OP' && operators.includes(operator)) return to(operator as Operator, rexpr!)
  if (kind === 'AEXPR_IN')
    return not(
      joined(
        'or',
        listItems(rexpr).map((item) => to('=', item)),
      ),
      operator === '<>',
    )
  if (kind === 'AEXPR_BETWEEN' || kind === 'AEXPR_NOT_BETWEEN') {
    const [low, high] = listItems(rexpr) as [Node, Node]
    return not(joined('and', [to('>=', low), to('<=', high)]), kind === 'AEXPR_NOT_BETWEEN')
  }
  throw unsupported(result, node, `${operator} is not supported in HAVING`)
}

const coarseKey = (result: Result, node: Node, name: string) =>
  unsupported(
    result,
    node,
    `the groups of ${name} are ranges, which HAVING cannot compare`,
    `Compare ${name} in WHERE.`,
  )

function compare(result: Result, node: Node, left: Side, operator: Operator, right: Side): Condition {
  if (left.kind === 'literal' && right.kind !== 'literal') return compare(result, node, right, mirrored[operator], left)
  const isKey = (s: Side) => s.kind === 'key'
  if (right.kind !== 'literal' && (isKey(left) || isKey(right)))
    throw unsupported(result, node, 'a key can be compared with a constant only')
  if (left.kind === 'key' && right.kind === 'literal') {
    const { scalar } = result.axes[left.axis]!
    const value = coerce(result, node, right.constant, scalar)
    if (scalar.kind === 'scalar' && isCoarse(scalar.attribute)) throw coarseKey(result, node, scalar.attribute.name)
    if (scalar.kind === 'scalar' && scalar.type === 'text' && value !== null && (operator === '=' || operator === '<>'))
      listedCodes(result, node, scalar, value as string)
    return { kind: 'compare', operator, left, right: { kind: 'literal', value: keyOf(value) } }
  }
  return { kind: 'compare', operator, left: asOperand(result, node, left), right: asOperand(result, node, right) }
}
