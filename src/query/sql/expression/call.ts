import type { FuncCall, Node } from '@pgsql/types'
import { equals, type Rational, rational } from '../../../numeric/index.ts'
import { nearest } from '../../../schema/index.ts'
import { insteadOfFunction } from '../alternatives.ts'
import { plainName, type Scope, unsupported } from '../scope.ts'
import { aggregateNames, dateFields, dateUnits, rounding, valueFunctions, widthBucket } from './functions.ts'
import { derive, type NumberConstant, number, type Operand, type Scalar, sign } from './scalar.ts'

/** Why a function cannot stand where it does. */
export function unknownFunction(scope: Scope, node: Node, name: string) {
  if ((aggregateNames as readonly string[]).includes(name))
    return unsupported(scope, node, `the aggregate ${name} is not allowed here`)
  const near = nearest(name, [...aggregateNames, ...valueFunctions])
  const message = `the function ${name} is not supported here`
  const instead = insteadOfFunction(name) ?? (near && `Did you mean ${near}?`)
  return unsupported(scope, node, message, instead, {
    ...(near && { nearest: near }),
  })
}

/** An argument of a function, with its place. */
interface Argument {
  readonly node: Node
  readonly of: Operand
}

/** A function of a value of the record; `read` gives the meaning of an argument. */
export function call(scope: Scope, node: Node, f: FuncCall, read: (argument: Node) => Operand): Operand {
  const name = plainName(f.funcname)
  if (!(valueFunctions as readonly string[]).includes(name) || f.agg_filter || f.agg_star)
    throw unknownFunction(scope, node, name)
  const wanted = name === 'width_bucket' ? 4 : Object.hasOwn(rounding, name) ? 1 : 2
  const given = f.args ?? []
  if (given.length !== wanted)
    throw unsupported(scope, node, `${name} takes ${wanted} argument${wanted > 1 ? 's' : ''} here`)
  const args = given.map((argument) => ({ node: argument, of: read(argument) }))
  const [first, second] = args as [Argument, Argument]
  if (wanted === 1) return rounded(name, numeric(scope, first))
  return wanted === 4 ? bucket(scope, args) : datePart(scope, name, first, second)
}

/** An argument that must be a number. */
export function numeric(scope: Scope, { node, of }: Argument): Scalar | NumberConstant {
  if (of.type !== 'number') throw unsupported(scope, node, 'a number is needed here')
  return of
}

function rounded(name: string, of: Scalar | NumberConstant): Operand {
  const round = rounding[name]!
  if (of.kind === 'constant') return number(round(of.value), false)
  return derive(of, `${name}(${of.signature})`, 'number', false, (v) => round(v as Rational))
}

function bucket(scope: Scope, [of, ...bounds]: readonly Argument[]): Scalar {
  const value = numeric(scope, of!)
  const [low, high, count] = bounds.map((bound) => {
    const constant = numeric(scope, bound)
    if (constant.kind === 'constant') return constant
    throw unsupported(scope, bound.node, 'the bounds of width_bucket must be constants')
  }) as [NumberConstant, NumberConstant, NumberConstant]
  if (value.kind === 'constant') throw unsupported(scope, of!.node, 'width_bucket needs an attribute here')
  if (equals(low.value, high.value)) throw unsupported(scope, bounds[1]!.node, 'the bounds of width_bucket must differ')
  if (!count.integer || count.value.num <= 0n)
    throw unsupported(scope, bounds[2]!.node, 'width_bucket needs a positive whole number of buckets')
  const signature = `width_bucket(${[value, low, high, count].map(sign).join()})`
  return derive(value, signature, 'number', true, (v) =>
    widthBucket(v as Rational, low.value, high.value, count.value.num),
  )
}

function datePart(scope: Scope, name: string, field: Argument, date: Argument): Scalar {
  const table = name === 'date_trunc' ? dateUnits : dateFields
  const wanted = field.of.type === 'string' ? field.of.value.toLowerCase() : ''
  if (!Object.hasOwn(table, wanted))
    throw unsupported(scope, field.node, `${name} supports ${Object.keys(table).join(', ')}`)
  const { of } = date
  if (of.kind !== 'scalar' || of.type !== 'date') throw unsupported(scope, date.node, `${name} needs a date`)
  const signature = `${name === 'date_trunc' ? 'trunc' : 'extract'}(${wanted},${of.signature})`
  if (name === 'date_trunc') return derive(of, signature, 'date', false, (v) => dateUnits[wanted]!(v as string))
  return derive(of, signature, 'number', false, (v) => rational(dateFields[wanted]!(v as string)))
}
