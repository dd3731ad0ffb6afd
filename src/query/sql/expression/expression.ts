import type { Node } from '@pgsql/types'
import type { Rational } from '../../../numeric/index.ts'
import { attributeAt, plainName, type Scope, Uncomputed, unsupported } from '../scope.ts'
import { isDate } from './functions.ts'
import { literal, numeral } from './literal.ts'
import { attributeScalar, type Constant, number, type Operand } from './scalar.ts'

/** Types whose cast changes no number. */
export const realTypes = ['numeric', 'decimal', 'float4', 'float8', 'double']

/** Numbers with more digits than this may be compared with, not computed with: chains of them would take long. */
const maxSize = 2n ** 256n
export const isModest = ({ num, den }: Rational): boolean => num < maxSize && num > -maxSize && den < maxSize
export const tooLong = (scope: Scope, node: Node) =>
  unsupported(scope, node, 'arithmetic with a number of this many digits is not supported')

/**
 * A value of the record or a constant: what stands on the sides of a comparison, in GROUP BY and in aggregates. Attributes and
 * literals are read here; everything else is computed on the domain of the attributes that it mentions.
 */
export function operand(scope: Scope, node: Node, isSummed = false): Operand {
  if ('ColumnRef' in node) return attributeScalar(attributeAt(scope, node))
  if ('A_Const' in node) {
    const constant = literal(node.A_Const)
    if (!constant) throw unsupported(scope, node, 'a literal of this kind is not supported')
    return constant
  }
  const plain = 'TypeCast' in node ? plainCast(node) : undefined
  if (plain) return plain
  const computed = scope.computed.get(node)
  if (!computed) throw new Uncomputed(node, isSummed)
  return computed
}

/** DATE '2020-01-31', '7'::numeric and the like. */
function plainCast({ TypeCast: { arg, typeName } }: Extract<Node, { TypeCast: unknown }>): Constant | undefined {
  const of = arg && 'A_Const' in arg ? literal(arg.A_Const) : undefined
  if (!of || typeName?.typmods) return undefined
  const type = plainName(typeName?.names)
  if (type === 'date' && of.type === 'string' && isDate(of.value))
    return { kind: 'constant', type: 'date', value: of.value }
  if (type === 'text' && of.type === 'string') return of
  if (!realTypes.includes(type)) return undefined
  const value = of.type === 'string' ? numeral(of.value) : of.type === 'number' ? of.value : undefined
  return value && number(value, false)
}
