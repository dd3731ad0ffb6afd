import type { FuncCall, Node } from '@pgsql/types'
import { negate, type Rational, rational, toText } from '../../numeric/index.ts'
import { nearest, nullCode } from '../../schema/index.ts'
import { aggregateNames, dateFields, dateUnits, isDate, rounding, valueFunctions, widthBucket } from './functions.ts'
import { literal, numeral } from './literal.ts'
import {
  arithmetic,
  attributeScalar,
  type Constant,
  type NumberConstant,
  type Scalar,
  type ScalarType,
  type Value,
} from './scalar.ts'
import { attributeAt, fault, type Scope, strings } from './scope.ts'

/** Types whose cast changes no number. */
export const realTypes = ['numeric', 'decimal', 'float4', 'float8']
const integerTypes = ['int2', 'int4', 'int8']

type Operand = Scalar | Constant

export const number = (value: Rational, integer: boolean): NumberConstant => ({
  kind: 'constant',
  type: 'number',
  value,
  text: toText(value),
  integer,
})

/** Numbers with more digits than this may be compared with, not computed with: chains of them would take long. */
const maxSize = 2n ** 1024n
export const isModest = ({ num, den }: Rational): boolean => num < maxSize && num > -maxSize && den < maxSize
export const tooLong = (scope: Scope, node: Node) =>
  fault(scope, node, 'sql-unsupported', 'arithmetic with a number of so many digits is not supported')

/** The name of a function or type, without the schema that the grammar puts before its own. */
export const plainName = (nodes: readonly Node[] | undefined): string => {
  const path = strings(nodes)
  return path.length === 2 && path[0] === 'pg_catalog' ? path[1]! : path.join('.')
}

/** A value of the record or a literal: what stands on the sides of a comparison and in GROUP BY. */
export function operand(scope: Scope, node: Node): Operand {
  if ('ColumnRef' in node) return attributeScalar(attributeAt(scope, node))
  if ('A_Const' in node) {
    const constant = literal(node.A_Const)
    if (!constant) throw fault(scope, node, 'sql-unsupported', 'a literal of this kind is not supported')
    return constant
  }
  if ('TypeCast' in node) return cast(scope, node)
  if ('FuncCall' in node) return call(scope, node, node.FuncCall)
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP') return operation(scope, node)
  throw fault(scope, node, 'sql-unsupported', 'this is not supported where a value of the record is expected')
}

function operation(scope: Scope, node: Extract<Node, { A_Expr: unknown }>): Operand {
  const [operator] = strings(node.A_Expr.name)
  const { lexpr, rexpr } = node.A_Expr
  if (!operator || !['+', '-', '*', '/', '%'].includes(operator))
    throw fault(scope, node, 'sql-unsupported', `the operator ${operator} is not supported here`)
  const right = numeric(scope, rexpr!)
  if (!lexpr) {
    if (right.kind === 'constant') return operator === '-' ? number(negate(right.value), right.integer) : right
    return derive(right, `${operator}(${right.signature})`, 'number', right.integer, (v) =>
      operator === '-' ? negate(v as Rational) : v,
    )
  }
  const left = numeric(scope, lexpr)
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

const sign = (o: Scalar | NumberConstant): string => (o.kind === 'scalar' ? o.signature : toText(o.value))

/** An operand that must be a number. */
function numeric(scope: Scope, node: Node): (Scalar & { type: ScalarType }) | NumberConstant {
  const found = operand(scope, node)
  if (found.type !== 'number') throw fault(scope, node, 'sql-unsupported', 'arithmetic needs a number here')
  return found
}

/** A function of a scalar's value; NULL stays NULL. */
const derive = (
  of: Scalar,
  signature: string,
  type: ScalarType,
  integer: boolean,
  compute: (value: Value) => Value,
): Scalar => ({
  ...of,
  type,
  integer,
  signature,
  ascending: false,
  at: (code) => {
    const value = of.at(code)
    return value === null ? null : compute(value)
  },
})

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

/** Why a function cannot stand where a value of the record is expected. */
export function unknownFunction(scope: Scope, node: Node, name: string) {
  if ((aggregateNames as readonly string[]).includes(name))
    return fault(scope, node, 'sql-unsupported', `the aggregate ${name} is not allowed here`)
  const near = nearest(name, [...aggregateNames, ...valueFunctions])
  const message = `the function ${name} is not supported here`
  return fault(scope, node, 'sql-unsupported', message, near && `Did you mean ${near}?`, {
    ...(near && { nearest: near }),
  })
}

function call(scope: Scope, node: Node, f: FuncCall): Operand {
  const name = plainName(f.funcname)
  if (!(valueFunctions as readonly string[]).includes(name) || f.agg_filter || f.agg_star)
    throw unknownFunction(scope, node, name)
  const args = f.args ?? []
  const want = (n: number) => {
    if (args.length !== n)
      throw fault(scope, node, 'sql-unsupported', `${name} takes ${n} argument${n > 1 ? 's' : ''} here`)
  }
  if (Object.hasOwn(rounding, name)) {
    want(1)
    const of = numeric(scope, args[0]!)
    const round = rounding[name]!
    if (of.kind === 'constant') return number(round(of.value), false)
    return derive(of, `${name}(${of.signature})`, 'number', false, (v) => round(v as Rational))
  }
  if (name === 'width_bucket') {
    want(4)
    return bucket(scope, args as [Node, Node, Node, Node])
  }
  want(2)
  return datePart(scope, name, args as [Node, Node])
}

function bucket(scope: Scope, [of, ...bounds]: [Node, Node, Node, Node]): Scalar {
  const value = numeric(scope, of)
  const [low, high, count] = bounds.map((b) => {
    const constant = numeric(scope, b)
    if (constant.kind !== 'constant')
      throw fault(scope, b, 'sql-unsupported', 'the bounds of width_bucket must be constants')
    return constant
  }) as [NumberConstant, NumberConstant, NumberConstant]
  if (value.kind === 'constant') throw fault(scope, of, 'sql-unsupported', 'width_bucket needs an attribute here')
  if (low.value.num * high.value.den === high.value.num * low.value.den)
    throw fault(scope, bounds[1], 'sql-unsupported', 'the bounds of width_bucket must differ')
  if (!count.integer || count.value.num <= 0n)
    throw fault(scope, bounds[2], 'sql-unsupported', 'width_bucket needs a positive whole number of buckets')
  const signature = `width_bucket(${[value, low, high, count].map(sign).join()})`
  return derive(value, signature, 'number', true, (v) =>
    widthBucket(v as Rational, low.value, high.value, count.value.num),
  )
}

function datePart(scope: Scope, name: string, [field, of]: [Node, Node]): Scalar {
  const unit = operand(scope, field)
  const date = operand(scope, of)
  const table = name === 'date_trunc' ? dateUnits : dateFields
  const wanted = unit.type === 'string' && unit.kind === 'constant' ? unit.value.toLowerCase() : ''
  if (!Object.hasOwn(table, wanted))
    throw fault(scope, field, 'sql-unsupported', `${name} supports ${Object.keys(table).join(', ')}`)
  if (date.kind !== 'scalar' || date.type !== 'date') throw fault(scope, of, 'sql-unsupported', `${name} needs a date`)
  const signature = `${name === 'date_trunc' ? 'trunc' : 'extract'}(${wanted},${date.signature})`
  if (name === 'date_trunc') return derive(date, signature, 'date', false, (v) => dateUnits[wanted]!(v as string))
  return derive(date, signature, 'number', false, (v) => rational(dateFields[wanted]!(v as string)))
}

/** The codes whose value is not NULL: NULL comes last. */
export const knownCodes = (s: Scalar): number => s.attribute.size - (nullCode(s.attribute) < 0 ? 0 : 1)
