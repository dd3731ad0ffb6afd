import type { A_Expr, BoolTestType, Node } from '@pgsql/types'
import { knownCodes } from '../../../schema/index.ts'
import { operand } from '../expression/expression.ts'
import type { Constant, Scalar } from '../expression/scalar.ts'
import { plainName, type Scope, unsupported } from '../scope.ts'
import { compareConstants, compareTo, leaf, scan, within } from './comparison.ts'
import { likePattern, matches } from './like.ts'
import { mirrored, type Operator, operators } from './operator.ts'
import { and, is, not, or, type Predicate } from './predicate.ts'
import { span } from './ranges.ts'

/** Whether a node is a condition by its form (a boolean attribute is one too, but also a value). */
export const isCondition = (node: Node): boolean =>
  'BoolExpr' in node ||
  'NullTest' in node ||
  'BooleanTest' in node ||
  ('A_Expr' in node && (node.A_Expr.kind !== 'AEXPR_OP' || operators.includes(plainName(node.A_Expr.name))))

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
  if ('A_Expr' in node && isCondition(node)) return comparison(scope, node, node.A_Expr)
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
export const anything = (scope: Scope, scalar: Scalar) => leaf(scope, scalar, span(0, knownCodes(scalar.attribute) - 1))

function booleanValue(scope: Scope, node: Node): Predicate {
  const of = operand(scope, node)
  if (of.kind === 'constant' && of.type === 'null') return { kind: 'constant', value: null }
  if (of.type !== 'boolean')
    throw unsupported(scope, node, 'this is not a condition', 'Compare it with something: age >= 18.')
  if (of.kind === 'constant') return { kind: 'constant', value: of.value }
  return compareTo(scope, node, of, '=', { kind: 'constant', type: 'boolean', value: true })
}

type ComparisonNode = Extract<Node, { A_Expr: unknown }>

function comparison(scope: Scope, node: ComparisonNode, e: A_Expr): Predicate {
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
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const found = like(scope, e.lexpr!, e.rexpr!, e.kind === 'AEXPR_ILIKE')
      return operator.startsWith('!') ? not(found) : found
    }
    default:
      throw unsupported(
        scope,
        node,
        `${e.kind === 'AEXPR_SIMILAR' ? 'SIMILAR TO' : operator} is not supported in a condition`,
      )
  }
}

export const listItems = (node: Node | undefined): Node[] => (node && 'List' in node ? (node.List.items ?? []) : [])

function compareNodes(scope: Scope, node: Node, left: Node, operator: Operator, right: Node): Predicate {
  const a = operand(scope, left)
  const b = operand(scope, right)
  if (a.kind === 'scalar' && b.kind === 'scalar') throw twoAttributes(scope, node)
  if (a.kind === 'scalar') return compareTo(scope, right, a, operator, b as Constant)
  if (b.kind === 'scalar') return compareTo(scope, left, b, mirrored[operator], a)
  return compareConstants(scope, node, a, operator, b)
}

const twoAttributes = (scope: Scope, node: Node) =>
  unsupported(
    scope,
    node,
    'a comparison of two attributes is not supported',
    'Compare with a constant, age >= 18; or ask SELECT x, y, COUNT(*) … GROUP BY 1, 2, and add up the groups where it holds, at no cost.',
  )

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
  const items = listItems(e.rexpr).map((node) => ({ node, constant: operand(scope, node) }))
  const other = items.find(({ constant }) => constant.kind === 'scalar')
  if (other) throw twoAttributes(scope, other.node)
  const constants = items as { node: Node; constant: Constant }[]
  if (of.kind === 'scalar') return within(scope, e.lexpr, of, constants)
  return or(...constants.map(({ node, constant }) => compareConstants(scope, node, of, '=', constant)))
}

/** A long pattern takes as long as several operations. */
const tokensPerOperation = 32

function like(scope: Scope, left: Node, right: Node, foldCase: boolean): Predicate {
  const of = operand(scope, left)
  if (of.kind !== 'scalar' || of.type !== 'text')
    throw unsupported(scope, left, 'LIKE is supported for attributes with listed values only')
  const pattern = patternOf(scope, right)
  if (pattern === null) return { kind: 'constant', value: null }
  const fold = (text: string) => (foldCase ? text.toLowerCase() : text)
  const tokens = likePattern(fold(pattern.text), fold(pattern.escape))
  if (!tokens) throw unsupported(scope, right, 'a LIKE pattern must not end with its escape character')
  const cost = of.cost + Math.ceil(tokens.length / tokensPerOperation)
  return scan(scope, left, { ...of, cost }, (value) => matches(tokens, fold(value as string)))
}

/** The pattern and its escape character, which is a backslash unless ESCAPE says otherwise; null for NULL. */
function patternOf(scope: Scope, node: Node): { text: string; escape: string } | null {
  const escaped =
    'FuncCall' in node && plainName(node.FuncCall.funcname) === 'like_escape' ? node.FuncCall.args : undefined
  const [text, character] = (escaped ?? [node]).map((n) => operand(scope, n))
  if (text!.type === 'null' || character?.type === 'null') return null
  if (text!.type !== 'string' || (character && character.type !== 'string'))
    throw unsupported(scope, node, 'a LIKE pattern must be a quoted text')
  const escaping = character ? character.value : '\\'
  if ([...escaping].length > 1) throw unsupported(scope, node, 'ESCAPE takes one character')
  return { text: text!.value, escape: escaping }
}
