import type { Node } from '@pgsql/types'
import { negate, type Rational } from '../../../numeric/index.ts'
import { label } from '../../../schema/index.ts'
import { insteadOf } from '../alternatives.ts'
import { attributeAt, plainName, type Scope, unsupported } from '../scope.ts'
import { call, numeric } from './call.ts'
import { isDate } from './functions.ts'
import { literal, numeral } from './literal.ts'
import {
  arithmetic,
  attributeScalar,
  derive,
  isConstantAt,
  type NumberConstant,
  number,
  type Operand,
  type Scalar,
  sign,
} from './scalar.ts'

/** Types whose cast changes no number. */
export const realTypes = ['numeric', 'decimal', 'float4', 'float8']
const integerTypes = ['int2', 'int4', 'int8']

/** Numbers with more digits than this may be compared with, not computed with: chains of them would take long. */
const maxSize = 2n ** 256n
export const isModest = ({ num, den }: Rational): boolean => num < maxSize && num > -maxSize && den < maxSize
export const tooLong = (scope: Scope, node: Node) =>
  unsupported(scope, node, 'arithmetic with a number of so many digits is not supported')

/** Operations in one value of the record: enough for what people write, few enough to compute for every code. */
const maxOperations = 20

/** A value of the record or a literal: what stands on the sides of a comparison and in GROUP BY. */
export function operand(scope: Scope, node: Node): Operand {
  const of = read(scope, node)
  if (of.kind === 'scalar' && of.cost > maxOperations)
    throw unsupported(scope, node, `more than ${maxOperations} operations on one value are not supported`)
  return of
}

function read(scope: Scope, node: Node): Operand {
  if ('ColumnRef' in node) return attributeScalar(attributeAt(scope, node))
  if ('A_Const' in node) {
    const constant = literal(node.A_Const)
    if (!constant) throw unsupported(scope, node, 'a literal of this kind is not supported')
    return constant
  }
  if ('TypeCast' in node) return cast(scope, node)
  if ('FuncCall' in node) return call(scope, node, node.FuncCall, (argument) => operand(scope, argument))
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP') return operation(scope, node)
  if ('CaseExpr' in node)
    throw unsupported(
      scope,
      node,
      'CASE is supported inside SUM, AVG and COUNT only',
      'Ask for a column per case, COUNT(*) FILTER (WHERE …), or group by buckets: floor(x / 10) * 10.',
    )
  throw unsupported(scope, node, 'this is not supported where a value of the record is expected')
}

function operation(scope: Scope, node: Extract<Node, { A_Expr: unknown }>): Operand {
  const operator = plainName(node.A_Expr.name)
  const { lexpr, rexpr } = node.A_Expr
  if (!['+', '-', '*', '/', '%'].includes(operator))
    throw unsupported(scope, node, `the operator ${operator} is not supported here`, insteadOf(`operator ${operator}`))
  const right = argument(scope, rexpr!)
  if (!lexpr) return signed(operator, right)
  const left = argument(scope, lexpr)
  for (const side of [left, right]) if (side.kind === 'constant' && !isModest(side.value)) throw tooLong(scope, node)
  const integer = left.integer && right.integer
  if (operator === '%' && !integer) throw unsupported(scope, node, '% is supported for integers only')
  if (operator === '/' || operator === '%') checkDivisor(scope, rexpr!, right)
  const compute = (a: Rational, b: Rational) => arithmetic(operator, a, b, integer)
  if (left.kind === 'constant' && right.kind === 'constant') return number(compute(left.value, right.value), integer)
  const made = { signature: `${operator}(${sign(left)},${sign(right)})`, integer, compute }
  if (left.kind === 'scalar' && right.kind === 'scalar') return ofTwo(scope, node, [left, right], made)
  return ofOne(left, right, made)
}

/** An operation with its two sides: its name for comparisons, and how it is computed. */
interface Operation {
  readonly signature: string
  readonly integer: boolean
  readonly compute: (a: Rational, b: Rational) => Rational
}

function signed(operator: string, of: NumberConstant | Scalar): Operand {
  if (of.kind === 'constant') return operator === '-' ? number(negate(of.value), of.integer) : of
  return derive(of, `${operator}(${of.signature})`, 'number', of.integer, (v) =>
    operator === '-' ? negate(v as Rational) : v,
  )
}

function checkDivisor(scope: Scope, node: Node, divisor: NumberConstant | Scalar): void {
  if (divisor.kind === 'scalar')
    throw unsupported(scope, node, 'a value of the record can be divided by a constant only')
  if (divisor.value.num === 0n) throw unsupported(scope, node, 'division by zero')
}

function ofTwo(scope: Scope, node: Node, [left, right]: [Scalar, Scalar], { signature, integer, compute }: Operation) {
  const names = `${left.attribute.name} and ${right.attribute.name}`
  if (left.attribute !== right.attribute)
    throw unsupported(
      scope,
      node,
      `a value made of two attributes (${names}) is not supported`,
      `Ask SELECT ${names.replace(' and', ',')}, COUNT(*) … GROUP BY 1, 2, and compute it for each group at no cost.`,
    )
  const at = (code: number) => {
    const [a, b] = [left.at(code), right.at(code)]
    return a === null || b === null ? null : compute(a as Rational, b as Rational)
  }
  // Two functions that change within a code may make up one that rises and falls.
  const last = (code: number) => {
    if (isConstantAt(left, code) && isConstantAt(right, code)) return at(code)
    throw unsupported(
      scope,
      node,
      `${left.attribute.name} is known too coarsely for this: its values within ${label(left.attribute, code)} would differ`,
      `Use ${left.attribute.name} once, with constants.`,
    )
  }
  return { ...derive(left, signature, 'number', integer, (v) => v), cost: left.cost + right.cost, at, last }
}

/** Of a value and a constant, one on either side. */
function ofOne(left: NumberConstant | Scalar, right: NumberConstant | Scalar, made: Operation): Operand {
  const { signature, integer, compute } = made
  if (left.kind === 'scalar')
    return derive(left, signature, 'number', integer, (v) => compute(v as Rational, (right as NumberConstant).value))
  return derive(right as Scalar, signature, 'number', integer, (v) => compute(left.value, v as Rational))
}

const argument = (scope: Scope, node: Node) => numeric(scope, { node, of: operand(scope, node) })

function cast(scope: Scope, node: Extract<Node, { TypeCast: unknown }>): Operand {
  const { arg, typeName } = node.TypeCast
  const type = plainName(typeName?.names)
  const of = operand(scope, arg!)
  const refuse = () => unsupported(scope, arg, `a cast to ${type} is not supported here`)
  if (realTypes.includes(type) || integerTypes.includes(type)) {
    const exact = of.type === 'string' ? numeral(of.value) : undefined
    const constant = exact ? number(exact, /^\s*[+-]?\d+\s*$/.test((of as { value: string }).value)) : of
    if (constant.type !== 'number') throw refuse()
    if (integerTypes.includes(type) && !constant.integer) throw refuse()
    return {
      ...constant,
      integer: integerTypes.includes(type),
      ...(constant.kind === 'scalar' && { signature: `${type}(${constant.signature})` }),
    }
  }
  if (type === 'date' && of.type === 'string') {
    if (!isDate(of.value))
      throw unsupported(scope, arg, `there is no date ${JSON.stringify(of.value)}`, 'Dates are written YYYY-MM-DD.')
    return { kind: 'constant', type: 'date', value: of.value }
  }
  const same = { date: ['date'], boolean: ['bool'], text: ['text', 'varchar'], string: ['text', 'varchar'] } as const
  if (of.type in same && (same[of.type as keyof typeof same] as readonly string[]).includes(type)) return of
  throw refuse()
}
