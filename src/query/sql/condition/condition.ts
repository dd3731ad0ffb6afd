import type { A_Expr, BoolTestType, Node } from '@pgsql/types'
import { knownCodes } from '../../../schema/index.ts'
import { operand } from '../expression/expression.ts'
import type { Computed, Constant, Scalar } from '../expression/scalar.ts'
import { plainName, type Scope, unsupported } from '../scope.ts'
import { comparisonAt, plainComparisonAt } from '../translation/nodes.ts'
import { compareConstants, compareTo, computedCondition, isKnown, leaf, within } from './comparison.ts'
import { mirrored, type Operator } from './operator.ts'
import { and, is, not, or, type Predicate } from './predicate.ts'
import { span } from './ranges.ts'

/** Whether a node is a condition by its form (a boolean attribute is one too, but also a value). */
export const isCondition = (node: Node): boolean =>
  'BoolExpr' in node ||
  'NullTest' in node ||
  'BooleanTest' in node ||
  ('A_Expr' in node && (comparisonAt(node) !== undefined || isMatch(node.A_Expr)))

const isMatch = ({ kind, name }: A_Expr) =>
  kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE' || kind === 'AEXPR_SIMILAR' || /^!?~\*?$/.test(plainName(name))

/** A WHERE or FILTER condition over one record. */
export function condition(scope: Scope, node: Node): Predicate {
  if ('BoolExpr' in node) {
    const parts = (node.BoolExpr.args ?? []).map((n) => condition(scope, n))
    if (node.BoolExpr.boolop === 'NOT_EXPR') return not(parts[0]!)
    return node.BoolExpr.boolop === 'AND_EXPR' ? and(...parts) : or(...parts)
  }
  if ('NullTest' in node) {
    const missing = isNull(scope, node.NullTest.arg!)
    return node.NullTest.nulltesttype === 'IS_NOT_NULL' ? not(missing) : missing
  }
  if ('BooleanTest' in node) {
    const { truth, negated } = booleanTests[node.BooleanTest.booltesttype!]
    const test = is(truth, condition(scope, node.BooleanTest.arg!))
    return negated ? not(test) : test
  }
  const compared = plainComparisonAt(node)
  if (compared) return comparison(scope, node, compared)
  return booleanValue(scope, node)
}

const booleanTests: { readonly [K in BoolTestType]: { truth: boolean | null; negated: boolean } } = {
  IS_TRUE: { truth: true, negated: false },
  IS_NOT_TRUE: { truth: true, negated: true },
  IS_FALSE: { truth: false, negated: false },
  IS_NOT_FALSE: { truth: false, negated: true },
  IS_UNKNOWN: { truth: null, negated: false },
  IS_NOT_UNKNOWN: { truth: null, negated: true },
}

function isNull(scope: Scope, node: Node): Predicate {
  if (isCondition(node)) return is(null, condition(scope, node))
  const of = operand(scope, node)
  return of.kind === 'constant' ? { kind: 'constant', value: of.type === 'null' } : is(null, anything(scope, of))
}

/** True on every value, unknown on NULL. */
export const anything = (scope: Scope, of: Scalar | Computed) =>
  of.kind === 'computed' ? isKnown(scope, of) : leaf(scope, of, span(0, knownCodes(of.attribute) - 1))

function booleanValue(scope: Scope, node: Node): Predicate {
  const of = operand(scope, node)
  if (of.kind === 'computed') return computedCondition(scope, node, of)
  if (of.kind === 'constant' && of.type === 'null') return { kind: 'constant', value: null }
  if (of.type !== 'boolean')
    throw unsupported(scope, node, 'this is not a condition', 'Compare it with something: age >= 18.')
  if (of.kind === 'constant') return { kind: 'constant', value: of.value }
  return compareTo(scope, node, of, '=', { kind: 'constant', type: 'boolean', value: true })
}

function comparison(scope: Scope, node: Node, e: A_Expr): Predicate {
  const operator = plainName(e.name)
  switch (e.kind) {
    case 'AEXPR_OP':
      return compareNodes(scope, node, e.lexpr!, operator as Operator, e.rexpr!)
    case 'AEXPR_DISTINCT':
      return not(same(scope, node, e.lexpr!, e.rexpr!))
    case 'AEXPR_NOT_DISTINCT':
      return same(scope, node, e.lexpr!, e.rexpr!)
    case 'AEXPR_IN':
      return operator === '<>' ? not(inList(scope, e)) : inList(scope, e)
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low, high] = listItems(e.rexpr) as [Node, Node]
      const between = (a: Node, b: Node) =>
        and(compareNodes(scope, node, e.lexpr!, '>=', a), compareNodes(scope, node, e.lexpr!, '<=', b))
      const inside = e.kind.endsWith('_SYM') ? or(between(low, high), between(high, low)) : between(low, high)
      return e.kind.includes('_NOT_') ? not(inside) : inside
    }
    default:
      throw unsupported(scope, node, `${operator} is not supported in a condition`)
  }
}

export const listItems = (node: Node | undefined): Node[] => (node && 'List' in node ? (node.List.items ?? []) : [])

function compareNodes(scope: Scope, node: Node, left: Node, operator: Operator, right: Node): Predicate {
  const [a, b] = [operand(scope, left) as Scalar | Constant, operand(scope, right) as Scalar | Constant]
  if (a.kind === 'scalar') return compareTo(scope, right, a, operator, b as Constant)
  if (b.kind === 'scalar') return compareTo(scope, left, b, mirrored[operator], a)
  return compareConstants(scope, node, a, operator, b)
}

/** IS NOT DISTINCT FROM: equality that knows NULL, never unknown. */
function same(scope: Scope, node: Node, left: Node, right: Node): Predicate {
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const constant = operand(scope, other)
    if (constant.kind === 'constant' && constant.type === 'null') return isNull(scope, value)
  }
  return is(true, compareNodes(scope, node, left, '=', right))
}

function inList(scope: Scope, e: A_Expr): Predicate {
  const of = operand(scope, e.lexpr!)
  const constants = listItems(e.rexpr).map((node) => ({ node, constant: operand(scope, node) as Constant }))
  if (of.kind === 'scalar') return within(scope, e.lexpr, of, constants)
  return or(...constants.map(({ node, constant }) => compareConstants(scope, node, of as Constant, '=', constant)))
}
