import type { Node } from '@pgsql/types'
import { type Rational, rational } from '../../../numeric/index.ts'
import { isCondition } from '../condition/condition.ts'
import { aggregate, isAggregate } from '../expression/aggregate.ts'
import { unknownFunction } from '../expression/call.ts'
import { isModest, operand, realTypes, tooLong } from '../expression/expression.ts'
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
} from '../expression/quantity.ts'
import type { Constant } from '../expression/scalar.ts'
import { plainName, quoteName, unsupported } from '../scope.ts'
import type { Operand } from '../statement.ts'
import type { GroupAxis } from './groups.ts'
import type { Rows } from './rows.ts'

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
    throw unsupported(result, node, 'only constants can be combined with aggregates here')
  const of = operand(result, node)
  if (of.kind === 'scalar' || of.type !== 'number')
    throw unsupported(result, node, 'only numbers can be combined with aggregates')
  return constantQuantity(of.value)
}

/** Casts that change no number: to a real type, and of a count to an integer. */
function castQuantity(result: Result, node: Extract<Node, { TypeCast: unknown }>): Quantity {
  const { arg, typeName } = node.TypeCast
  const type = plainName(typeName?.names)
  const count = 'FuncCall' in arg! && plainName(arg.FuncCall.funcname) === 'count' && type.startsWith('int')
  if (!realTypes.includes(type) && !count)
    throw unsupported(result, typeName, `a cast of a result to ${type} is not supported`)
  return quantity(result, arg!)
}

function arithmetic(result: Result, node: Extract<Node, { A_Expr: unknown }>): Quantity {
  const operator = plainName(node.A_Expr.name)
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
      if (right.constant.num === 0n) throw unsupported(result, node, 'division by zero')
      return scaled(left, inverse(right.constant))
    default:
      throw unsupported(result, node, `the operator ${operator} is not supported between aggregates`)
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
  if (hasAggregate(node)) return result.parts.lower(quantity(result, node))
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
