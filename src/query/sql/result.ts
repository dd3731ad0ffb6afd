import type { Node } from '@pgsql/types'
import { type Rational, rational } from '../../numeric/index.ts'
import { aggregate, isAggregate, type Rows } from './aggregate.ts'
import { listedCodes, mirrored, type Operator, operators } from './comparison.ts'
import { isCondition, listItems } from './condition.ts'
import { isModest, operand, plainName, realTypes, tooLong, unknownFunction } from './expression.ts'
import { type GroupAxis, keyOf } from './groups.ts'
import { coerce } from './literal.ts'
import {
  constantQuantity,
  isConstant,
  minus,
  plus,
  product,
  type Quantity,
  quotient,
  restQuantity,
  scaled,
} from './quantity.ts'
import type { Constant } from './scalar.ts'
import { fault, strings } from './scope.ts'
import type { Condition, Operand } from './statement.ts'

/** What the result is made of: aggregates over the rows, and the keys of the groups. */
export interface Result extends Rows {
  readonly axes: readonly GroupAxis[]
}

/** Whether an aggregate stands anywhere in an expression. */
export function hasAggregate(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false
  if ('FuncCall' in node && isAggregate((node as Extract<Node, { FuncCall: unknown }>).FuncCall)) return true
  return Object.values(node).some(hasAggregate)
}

/** Arithmetic over aggregates. Division gives the ratio, also of two counts. */
export function quantity(result: Result, node: Node): Quantity {
  const found = read(result, node)
  if (![found.constant, ...found.linear.map((item) => item.times)].every(isModest)) throw tooLong(result, node)
  return found
}

function read(result: Result, node: Node): Quantity {
  if ('FuncCall' in node && isAggregate(node.FuncCall)) return aggregate(result, node, node.FuncCall)
  if ('TypeCast' in node && hasAggregate(node)) return castQuantity(result, node)
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && !isCondition(node)) return arithmetic(result, node)
  if ('FuncCall' in node) throw unknownFunction(result, node, plainName(node.FuncCall.funcname))
  if ('ColumnRef' in node || isCondition(node) || hasAggregate(node))
    throw fault(result, node, 'sql-unsupported', 'only constants can be combined with aggregates here')
  const of = operand(result, node)
  if (of.kind === 'scalar' || of.type !== 'number')
    throw fault(result, node, 'sql-unsupported', 'only numbers can be combined with aggregates')
  return constantQuantity(of.value)
}

/** Casts that change no number: to a real type, and of a count to an integer. */
function castQuantity(result: Result, node: Extract<Node, { TypeCast: unknown }>): Quantity {
  const { arg, typeName } = node.TypeCast
  const type = plainName(typeName?.names)
  const count = 'FuncCall' in arg! && plainName(arg.FuncCall.funcname) === 'count' && type.startsWith('int')
  if (!realTypes.includes(type) && !count)
    throw fault(result, typeName, 'sql-unsupported', `a cast of a result to ${type} is not supported`)
  return quantity(result, arg!)
}

function arithmetic(result: Result, node: Extract<Node, { A_Expr: unknown }>): Quantity {
  const [operator] = strings(node.A_Expr.name)
  const { lexpr, rexpr } = node.A_Expr
  const right = quantity(result, operator === '/' ? withoutNullIf(rexpr!) : rexpr!)
  const left = lexpr ? quantity(result, lexpr) : constantQuantity(rational(0))
  const lower = (q: Quantity) => result.parts.lower(q)
  switch (operator) {
    case '+':
      return plus(left, right)
    case '-':
      return minus(left, right)
    case '*':
      if (isConstant(left)) return scaled(right, left.constant)
      if (isConstant(right)) return scaled(left, right.constant)
      return restQuantity(product(lower(left), lower(right)))
    case '/':
      // A count that nothing can be in is a constant 0, but no mistake: the ratio is NULL.
      if (!isConstant(right) || (right.constant.num === 0n && hasAggregate(rexpr)))
        return restQuantity(quotient(lower(left), lower(right)))
      if (right.constant.num === 0n) throw fault(result, node, 'sql-unsupported', 'division by zero')
      return scaled(left, inverse(right.constant))
    default:
      throw fault(result, node, 'sql-unsupported', `the operator ${operator} is not supported between aggregates`)
  }
}

const inverse = (a: Rational): Rational => rational(a.den, a.num)

/** A ratio whose denominator is 0 is NULL here, so NULLIF(x, 0) below a fraction says nothing new. */
function withoutNullIf(node: Node): Node {
  if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_NULLIF') return node
  const { lexpr, rexpr } = node.A_Expr
  const zero = rexpr && 'A_Const' in rexpr && rexpr.A_Const.ival && !rexpr.A_Const.ival.ival
  return zero ? lexpr! : node
}

/** The axis whose grouped value this is; undefined for a constant. */
export function axisOf(result: Result, node: Node): number | undefined {
  const of = operand(result, node)
  if (of.kind === 'constant') return undefined
  const axis = result.axes.findIndex((a) => a.scalar.signature === of.signature)
  if (axis < 0)
    throw fault(
      result,
      node,
      'sql-unsupported',
      `${of.attribute.name} must appear in the GROUP BY clause or be used in an aggregate function`,
    )
  return axis
}

type Side = Exclude<Operand, { kind: 'literal' }> | { kind: 'literal'; constant: Constant }

/** One side of a comparison in HAVING, or what ORDER BY sorts by. */
export function side(result: Result, node: Node): Side {
  if (hasAggregate(node)) return result.parts.lower(quantity(result, node))
  const axis = axisOf(result, node)
  if (axis !== undefined) return { kind: 'key', axis }
  return { kind: 'literal', constant: operand(result, node) as Constant }
}

/** HAVING: a condition on the noisy result. */
export function having(result: Result, node: Node): Condition {
  if ('BoolExpr' in node) {
    const parts = (node.BoolExpr.args ?? []).map((n) => having(result, n))
    if (node.BoolExpr.boolop === 'NOT_EXPR') return { kind: 'not', of: parts[0]! }
    return joined(node.BoolExpr.boolop === 'AND_EXPR' ? 'and' : 'or', parts)
  }
  if ('NullTest' in node) {
    const of = asOperand(result, node, side(result, node.NullTest.arg!))
    const missing: Condition = { kind: 'is-null', of }
    return node.NullTest.nulltesttype === 'IS_NOT_NULL' ? { kind: 'not', of: missing } : missing
  }
  if ('A_Expr' in node) return comparison(result, node)
  if ('ColumnRef' in node) {
    const yes: Side = { kind: 'literal', constant: { kind: 'constant', type: 'boolean', value: true } }
    return compare(result, node, side(result, node), '=', yes)
  }
  throw fault(
    result,
    node,
    'sql-unsupported',
    'this is not supported in HAVING',
    'Compare an aggregate with a constant: HAVING COUNT(*) > 100.',
  )
}

const joined = (kind: 'and' | 'or', parts: readonly Condition[]): Condition =>
  parts.reduce((left, right) => ({ kind, left, right }))

function comparison(result: Result, node: Extract<Node, { A_Expr: unknown }>): Condition {
  const { kind, name, lexpr, rexpr } = node.A_Expr
  const [operator] = strings(name)
  const not = (of: Condition, negated: boolean): Condition => (negated ? { kind: 'not', of } : of)
  const to = (operation: Operator, other: Node) =>
    compare(result, other, side(result, lexpr!), operation, side(result, other))
  if (kind === 'AEXPR_OP' && operators.includes(operator!)) return to(operator as Operator, rexpr!)
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
  throw fault(result, node, 'sql-unsupported', `${operator} is not supported in HAVING`)
}

function compare(result: Result, node: Node, left: Side, operator: Operator, right: Side): Condition {
  if (left.kind === 'literal' && right.kind !== 'literal') return compare(result, node, right, mirrored[operator], left)
  const isKey = (s: Side) => s.kind === 'key'
  if (right.kind !== 'literal' && (isKey(left) || isKey(right)))
    throw fault(result, node, 'sql-unsupported', 'a key can be compared with a constant only')
  if (left.kind === 'key' && right.kind === 'literal') {
    const { scalar } = result.axes[left.axis]!
    const value = coerce(result, node, right.constant, scalar)
    if (scalar.type === 'text' && value !== null && (operator === '=' || operator === '<>'))
      listedCodes(result, node, scalar, value as string)
    return { kind: 'compare', operator, left, right: { kind: 'literal', value: keyOf(value) } }
  }
  return { kind: 'compare', operator, left: asOperand(result, node, left), right: asOperand(result, node, right) }
}

/** A literal beside an aggregate is a number or NULL. */
export function asOperand(result: Result, node: Node, of: Side): Operand {
  if (of.kind !== 'literal') return of
  if (of.constant.type === 'null') return { kind: 'literal', value: null }
  if (of.constant.type === 'number') return { kind: 'constant', value: of.constant.value }
  throw fault(result, node, 'sql-unsupported', 'an aggregate can be compared with a number only')
}
