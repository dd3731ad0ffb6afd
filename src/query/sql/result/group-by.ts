import type { Node } from '@pgsql/types'
import { boxes } from '../condition/boxes.ts'
import { isPlain } from '../condition/edges.ts'
import { always, type Predicate } from '../condition/predicate.ts'
import { count, everything } from '../condition/ranges.ts'
import { operand } from '../expression/expression.ts'
import type { Scalar } from '../expression/scalar.ts'
import { matchName, type Scope, strings, unsupported } from '../scope.ts'
import { type GroupAxis, groupAxis } from './groups.ts'
import { hasAggregate } from './result.ts'
import { codesOf } from './rows.ts'
import { type Target, targetAt, targetNamed } from './target.ts'

/** A statement with more groups than this is refused. */
const maxGroups = 2 ** 20

/** The axes of a GROUP BY. Groups that the WHERE rules out on one axis are left out, as in SQL. */
export function groupBy(
  scope: Scope,
  clause: readonly Node[] | undefined,
  list: readonly Target[],
  where: Predicate,
): GroupAxis[] {
  if (!clause) return []
  const first = clause[0]!
  const scalars = distinctValues(scope, clause, list)
  const found = where === always ? undefined : boxes(where, scope.universe, scope.work)
  const left = ({ attribute: { name, size } }: Scalar) =>
    found ? codesOf(found, scope.universe.index.get(name)!, size) : everything(size)
  // Before any group is made, and after: the attributes themselves have as many groups as codes, functions fewer.
  const plain = scalars.filter(isPlain).map((scalar) => count(left(scalar)))
  checkGroups(scope, first, plain)
  const axes = scalars.map((scalar) => groupAxis(scope, first, scalar, left(scalar)))
  const sizes = axes.map((axis) => axis.labels.length)
  checkGroups(scope, first, sizes)
  return axes
}

function distinctValues(scope: Scope, clause: readonly Node[], list: readonly Target[]): Scalar[] {
  const scalars = new Map<string, Scalar>()
  for (const node of clause) {
    const scalar = groupedValue(scope, node, list)
    const { attribute, signature } = scalar
    if (scalars.values().some((other) => other.attribute === attribute && other.signature !== signature))
      throw unsupported(
        scope,
        node,
        `grouping twice by ${attribute.name} is not supported`,
        'Keep the finer of the two: the other follows from it.',
      )
    scalars.set(signature, scalar)
  }
  return [...scalars.values()]
}

function checkGroups(scope: Scope, node: Node, sizes: readonly number[]): void {
  const groups = sizes.reduce((n, size) => n * size, 1)
  if (groups > maxGroups)
    throw unsupported(
      scope,
      node,
      `this GROUP BY has ${groups} groups; at most ${maxGroups} are allowed`,
      'Group by fewer attributes, or by buckets such as floor(age / 10) * 10.',
      { groups, limit: maxGroups },
    )
}

/** As in PostgreSQL, a bare name is an attribute first and an alias second. */
function groupedValue(scope: Scope, node: Node, list: readonly Target[]): Scalar {
  const names = scope.universe.attributes.map((a) => a.name)
  const isAttribute = 'ColumnRef' in node && matchName(strings(node.ColumnRef.fields).at(-1)!, names).length > 0
  const target = isAttribute ? undefined : (targetAt(scope, 'GROUP BY', node, list) ?? targetNamed(node, list))
  const of = target?.node ?? node
  if (hasAggregate(of)) throw unsupported(scope, node, 'aggregates are not allowed in GROUP BY')
  const value = operand(scope, of)
  if (value.kind === 'constant') throw unsupported(scope, node, 'GROUP BY needs an attribute')
  return value
}
