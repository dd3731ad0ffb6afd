import type { Node } from '@pgsql/types'
import { negate, type Rational } from '../../../numeric/index.ts'
import { nullCode } from '../../../schema/index.ts'
import { attributeAt, fault, plainName, type Scope } from '../scope.ts'
import { call, numeric } from './call.ts'
import { isDate } from './functions.ts'
import { literal, numeral } from './literal.ts'
import {
  arithmetic,
  attributeScalar,
  derive,
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
  fault(scope, node, 'sql-unsupported', 'arithmetic with a number of so many digits is not supported')

/** Operations in one value of the record: enough for what people write, few enough to compute for every code. */
const maxOperations = 20

/** A value of the record or a literal: what stands on the sides of a comparison and in GROUP BY. */
export function operand(scope: Scope, node: Node): Operand {
  const of = read(scope, node)
  if (of.kind === 'scalar' && of.cost > maxOperations)
    throw fault(scope, node, 'sql-unsupported', `more than ${maxOperations} operations on one value are not supported`)
  return of
}

function read(scope: Scope, node: Node): Operand {
  if ('ColumnRef' in node) return attributeScalar(attributeAt(scope, node))
  if ('A_Const' in node) {
    const constant = literal(node.A_Const)
    if (!constant) throw fault(scope, node, 'sql-unsupported', 'a literal of this kind is not supported')
    return constant
  }
  if ('TypeCast' in node) return cast(scope, node)
  if ('FuncCall' in node) return call(scope, node, node.FuncCall, (argument) => operand(scope, argument))
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP') return operation(scope, node)
  throw fault(scope, node, 'sql-unsupported', 'this is not supported where a value of the record is expected')
}

function operation(scope: Scope, node: Extract<Node, { A_Expr: unknown }>): Operand {
  const operator = plainName(node.A_Expr.name)
  const { lexpr, rexpr } = node.A_Expr
  if (!['+', '-', '*', '/', '%'].includes(operator))
    throw fault(scope, node, 'sql-unsupported', `the operator ${operator} is not supported here`)
  const right = argument(scope, rexpr!)
  if (!lexpr) {
    if (right.kind === 'constant') return operator === '-' ? number(negate(right.value), right.integer) : right
    return derive(right, `${operator}(${right.signature})`, 'number', right.integer, (v) =>
      operator === '-' ? negate(v as Rational) : v,
    )
  }
  const left = argument(scope, lexpr)
  for (const side of [left, right]) if (side.kind === 'constant' && !isModest(side.value)) throw tooLong(scope, node)
  const integers = left.integer && right.integer
  if (operator === '%' && !integers) throw fault(scope, node, 'sql-unsupported', '% is supported for integers only')
  if (operator === '/' || operator === '%') {
    if (right.kind === 'scalar')
      throw fault(scope, rexpr, 'sql-unsupported', 'a value of the record can be divided by a constant only')
    if (right.value.num === 0n) throw fault(scope, rexpr, 'sql-unsupported', 'division by zero')
  }
  const compute = (a: Rational, b: Rational) => arithmetic(operator, a, b, integers)
  if (left.kind === 'constant' && right.kind === 'constant') return number(compute(left.value, right.value), integers)
  const signature = `${operator}(${sign(left)},${sign(right)})`
  if (left.kind === 'scalar' && right.kind === 'scalar') {
    if (left.attribute !== right.attribute)
      throw fault(
        scope,
        node,
        'sql-unsupported',
        `a value made of two attributes (${left.attribute.name} and ${right.attribute.name}) is not supported`,
      )
    return {
      ...derive(left, signature, 'number', integers, (v) => v),
      cost: left.cost + right.cost,
      at: (code) => {
        const [a, b] = [left.at(code), right.at(code)]
        return a === null || b === null ? null : compute(a as Rational, b as Rational)
      },
    }
  }
  if (left.kind === 'scalar')
    return derive(left, signature, 'number', integers, (v) => compute(v as Rational, (right as NumberConstant).value))
  return derive(right as Scalar, signature, 'number', integers, (v) =>
    compute((left as NumberConstant).value, v as Rational),
  )
}

const argument = (scope: Scope, node: Node) => numeric(scope, { node, of: operand(scope, node) })

function cast(scope: Scope, node: Extract<Node, { TypeCast: unknown }>): Operand {
  const { arg, typeName } = node.TypeCast
  const type = plainName(typeName?.names)
  const of = operand(scope, arg!)
  const refuse = () => fault(scope, arg, 'sql-unsupported', `a cast to ${type} is not supported here`)
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
      throw fault(
        scope,
        arg,
        'sql-unsupported',
        `there is no date ${JSON.stringify(of.value)}`,
        'Dates are written YYYY-MM-DD.',
      )
    return { kind: 'constant', type: 'date', value: of.value }
  }
  const same = { date: ['date'], boolean: ['bool'], text: ['text', 'varchar'], string: ['text', 'varchar'] } as const
  if (of.type in same && (same[of.type as keyof typeof same] as readonly string[]).includes(type)) return of
  throw refuse()
}

/** The codes whose value is not NULL: NULL comes last. */
export const knownCodes = (s: Scalar): number => s.attribute.size - (nullCode(s.attribute) < 0 ? 0 : 1)
