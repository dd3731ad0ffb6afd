import type { Node } from '@pgsql/types'
import type { Rational } from '../../../numeric/index.ts'
import { rational, zero } from '../../../numeric/index.ts'
import { type Attribute, isNumber } from '../../../schema/index.ts'
import { operand } from '../expression/expression.ts'
import { attributeAt, plainName, type Scope, unsupported } from '../scope.ts'
import { condition, isCondition } from './condition.ts'
import { and, is, not, type Predicate } from './predicate.ts'

/** One outcome of a CASE: the records that take it, and the number, attribute or NULL that it gives. */
export interface Branch {
  readonly where: Predicate
  readonly value: Rational | Attribute | null
}

/** CASE WHEN … or (condition)::int as disjoint branches; undefined for anything else. */
export function branches(scope: Scope, node: Node): readonly Branch[] | undefined {
  if ('TypeCast' in node && ['int2', 'int4', 'int8'].includes(plainName(node.TypeCast.typeName?.names))) {
    const { arg } = node.TypeCast
    if (!arg || !(isCondition(arg) || isBoolean(scope, arg))) return undefined
    const of = condition(scope, arg)
    return [
      { where: of, value: rational(1) },
      { where: not(of), value: zero },
    ]
  }
  if (!('CaseExpr' in node)) return undefined
  const out: Branch[] = []
  let left: Predicate = { kind: 'constant', value: true }
  for (const item of node.CaseExpr.args ?? []) {
    if (!('CaseWhen' in item)) continue
    const taken = is(true, condition(scope, item.CaseWhen.expr!))
    out.push({ where: and(left, taken), value: outcome(scope, item.CaseWhen.result!) })
    left = and(left, not(taken))
  }
  const { defresult } = node.CaseExpr
  return [...out, { where: left, value: defresult ? outcome(scope, defresult) : null }]
}

/** A boolean attribute is a condition by itself. */
const isBoolean = (scope: Scope, node: Node): boolean =>
  'ColumnRef' in node && attributeAt(scope, node).kind === 'boolean'

function outcome(scope: Scope, node: Node): Branch['value'] {
  if ('ColumnRef' in node) {
    const attribute = attributeAt(scope, node)
    if (isNumber(attribute)) return attribute
  } else {
    const of = operand(scope, node)
    if (of.kind === 'constant' && of.type === 'null') return null
    if (of.kind === 'constant' && of.type === 'number') return of.value
  }
  throw unsupported(scope, node, 'a CASE in an aggregate gives constants, NULL or a numeric attribute')
}
