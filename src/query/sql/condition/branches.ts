import type { Node } from '@pgsql/types'
import type { Rational } from '../../../numeric/index.ts'
import { rational, zero } from '../../../numeric/index.ts'
import type { Attribute } from '../../../schema/index.ts'
import { operand } from '../expression/expression.ts'
import type { Computed } from '../expression/scalar.ts'
import { attributeAt, plainName, type Scope, unsupported } from '../scope.ts'
import { anything, condition, isCondition } from './condition.ts'
import { always, and, is, not, type Predicate } from './predicate.ts'

/** One outcome of a CASE: the records that take it, and what it gives; null is NULL. */
export interface Branch {
  readonly where: Predicate
  readonly value: Rational | Attribute | Computed | null
}

/** CASE WHEN …, COALESCE or (condition)::int as disjoint branches, each a product of its own; undefined for anything else. */
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
  if ('CoalesceExpr' in node) return firstKnown(scope, node.CoalesceExpr.args ?? [])
  if (!('CaseExpr' in node) || node.CaseExpr.arg) return undefined
  const out: Branch[] = []
  let left: Predicate = always
  for (const item of node.CaseExpr.args ?? []) {
    if (!('CaseWhen' in item)) continue
    const taken = is(true, condition(scope, item.CaseWhen.expr!))
    out.push({ where: and(left, taken), value: outcome(scope, item.CaseWhen.result!) })
    left = and(left, not(taken))
  }
  const { defresult } = node.CaseExpr
  return [...out, { where: left, value: defresult ? outcome(scope, defresult) : null }]
}

/** COALESCE: the first that is not NULL. */
function firstKnown(scope: Scope, args: readonly Node[]): Branch[] {
  const out: Branch[] = []
  let left: Predicate = always
  for (const node of args) {
    const of = operand(scope, node, true)
    if (of.kind === 'constant' && of.type === 'null') continue
    out.push({ where: left, value: outcome(scope, node) })
    if (of.kind === 'constant') return out
    left = and(left, is(null, anything(scope, of)))
  }
  return out
}

/** A boolean attribute is a condition by itself. */
const isBoolean = (scope: Scope, node: Node): boolean =>
  'ColumnRef' in node && attributeAt(scope, node).kind === 'boolean'

function outcome(scope: Scope, node: Node): Branch['value'] {
  const of = operand(scope, node, true)
  if (of.kind === 'constant' && of.type === 'null') return null
  if (of.type !== 'number') throw unsupported(scope, node, 'a CASE that is aggregated gives numbers or NULL')
  return of.kind === 'constant' ? of.value : of.kind === 'scalar' ? of.attribute : of
}
