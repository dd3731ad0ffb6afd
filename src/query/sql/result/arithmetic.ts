import type { FuncCall, Node } from '@pgsql/types'
import { type Rational, rational } from '../../../numeric/index.ts'
import { insteadOfFunction } from '../alternatives.ts'
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
import { plainName, unsupported } from '../scope.ts'
import { hasAggregate, type Result } from './result.ts'
import { functionOfResult } from './result-functions.ts'
import { withinShare } from './share.ts'
import { subqueryQuantity } from './subquery.ts'
import { windowQuantity } from './window.ts'

/** Arithmetic over aggregates. Division gives the ratio, also of two counts. */
export function quantity(result: Result, node: Node): Quantity {
  const found = read(result, node)
  if (![found.constant, ...found.linear.map((item) => item.times)].every(isModest)) throw tooLong(result, node)
  return found
}

function read(result: Result, node: Node): Quantity {
  if ('FuncCall' in node && node.FuncCall.over) return windowQuantity(result, node, node.FuncCall)
  if ('FuncCall' in node && isAggregate(node.FuncCall)) return aggregate(result, node, node.FuncCall)
  if ('SubLink' in node) return subqueryQuantity(result, node)
  if (hasAggregate(node)) {
    const found = functionOfResult(result, node)
    if (found) return found
  }
  if ('TypeCast' in node && hasAggregate(node)) return castQuantity(result, node)
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && !isCondition(node)) return arithmetic(result, node)
  if ('FuncCall' in node) throw functionOf(result, node, node.FuncCall)
  if ('ColumnRef' in node || isCondition(node) || hasAggregate(node))
    throw unsupported(
      result,
      node,
      'only constants can be combined with aggregates here',
      isCondition(node)
        ? 'How likely it is says --probability: ask for the number, with --probability "> 100".'
        : undefined,
    )
  const of = operand(result, node)
  if (of.kind !== 'constant' || of.type !== 'number')
    throw unsupported(
      result,
      node,
      'a column must be a key, or a number computed from aggregates',
      'Leave out this constant.',
    )
  return constantQuantity(of.value)
}

/** Why a function cannot stand over aggregates. */
const functionOf = (result: Result, node: Node, call: FuncCall) => {
  const name = plainName(call.funcname)
  if (!hasAggregate(call.args) || insteadOfFunction(name)) return unknownFunction(result, node, name)
  return unsupported(
    result,
    node,
    `the function ${name} of an aggregate is not supported`,
    'Ask for the aggregate, and apply the function to the answer and to the ends of its interval. Supported are + - * /, round, abs, sqrt, greatest and least.',
  )
}

/** Casts that change no number: to a real type, and of a count to an integer. */
function castQuantity(result: Result, node: Extract<Node, { TypeCast: unknown }>): Quantity {
  const { arg, typeName } = node.TypeCast
  const type = plainName(typeName?.names)
  if (typeName?.typmods)
    throw unsupported(
      result,
      typeName.typmods,
      'a precision is not supported here',
      'Write round(AVG(x), 2) as a column.',
    )
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
        return restQuantity(withinShare(result, quotient(lower(left), lower(right))))
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
