import type { Node } from '@pgsql/types'
import type { Attribute } from '../../../schema/index.ts'
import { boxes } from '../condition/boxes.ts'
import { always, type Predicate } from '../condition/predicate.ts'
import { count, everything, type Ranges } from '../condition/ranges.ts'
import { operand } from '../expression/expression.ts'
import type { Computed, Scalar } from '../expression/scalar.ts'
import type { Groups } from '../expression/terms.ts'
import { matchName, type Scope, strings, unsupported } from '../scope.ts'
import type { ResultRow } from '../statement.ts'
import { groupingSets } from './grouping-sets.ts'
import { type GroupAxis, groupAxis } from './groups.ts'
import { classesOf, mergedGroups } from './merged-groups.ts'
import { hasAggregate } from './result.ts'
import { codesOf } from './rows.ts'
import { type Target, targetAt, targetNamed } from './target.ts'

/** A statement with more groups than this is refused, and one that looks at more of them for all its sets of keys together. */
const maxGroups = 2 ** 20
const maxLooks = 2 ** 22

/** A GROUP BY as it was read. */
export interface Grouped {
  readonly axes: readonly Pick<GroupAxis, 'scalar' | 'labels'>[]
  readonly groups: Groups
  readonly rows?: readonly ResultRow[]
  /** Whether the groups hold all records of the table, whatever is in them. */
  readonly isWhole: boolean
  /** Of several sets of keys: the first row of the second. */
  readonly firstTotal?: number
}

/** What a GROUP BY asks for. Groups that the WHERE rules out on one axis are left out, as in SQL. */
export function groupBy(
  scope: Scope,
  clause: readonly Node[] | undefined,
  list: readonly Target[],
  where: Predicate,
): Grouped {
  if (!clause) return { axes: [], groups: { by: [], codes: new Map() }, isWhole: true }
  const found = where === always ? undefined : boxes(where, scope.universe, scope.work)
  const left = ({ name, size }: Attribute) =>
    found ? codesOf(found, scope.universe.index.get(name)!, size) : everything(size)
  const sets = groupingSets(scope, clause).map((set) => set.map((node) => groupedValue(scope, node, list)))
  const keys = distinct(sets.flat())
  if (keys.length === 0) throw unsupported(scope, clause, 'GROUP BY needs an attribute')
  const looked = keys.flatMap((key) => (key.kind === 'computed' ? key.attributes : [key.attribute]))
  const isPlain = sets.length === 1 && looked.length === new Set(looked).size && keys.length === looked.length
  const codes = new Map(looked.map((a) => [scope.universe.index.get(a.name)!, left(a)]))
  const isWhole = looked.every((a) => count(left(a)) === a.size)
  if (!isPlain) {
    const { groups, ...rest } = merged(scope, clause, keys, sets, left)
    return { ...rest, groups: { ...groups, codes, isMerged: true }, isWhole }
  }
  // Before any group is made, and after: the attributes themselves have as many groups as codes, functions fewer.
  const plain = keys.filter(({ kind }) => kind === 'scalar').map(({ attribute }) => count(left(attribute)))
  checkGroups(scope, clause[0]!, plain)
  const axes = keys.map((key) => groupAxis(key, left(key.attribute)))
  checkGroups(
    scope,
    clause[0]!,
    axes.map((axis) => axis.labels.length),
  )
  return { axes, groups: { by: axes.map(({ grouping }) => grouping), codes }, isWhole }
}

type KeyValue = Scalar | Computed
const distinct = (keys: readonly KeyValue[]): KeyValue[] => [
  ...new Map(keys.map((key) => [key.signature, key] as const)).values(),
]

/** Keys of several attributes, several of one, or several sets of keys: rows are made of groups that are finer. */
function merged(
  scope: Scope,
  clause: readonly Node[],
  keys: readonly KeyValue[],
  sets: readonly (readonly KeyValue[])[],
  left: (a: Attribute) => Ranges,
) {
  const own = sets.map((set) => keys.filter((key) => set.some(({ signature }) => signature === key.signature)))
  const classes = classesOf(keys, scope.universe.attributes, left)
  const sizes = classes.map(({ members }) => members.length)
  checkGroups(scope, clause[0]!, sizes)
  checkLooks(scope, clause[0]!, sets.length * sizes.reduce((n, size) => n * size, 1))
  const { by, labels, ...rows } = mergedGroups(keys, own, classes)
  return { axes: keys.map((scalar, k) => ({ scalar, labels: labels[k]! })), groups: { by }, ...rows }
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

/** Every set of keys has rows of its own, made of all groups: of many sets they would be more than memory holds. */
function checkLooks(scope: Scope, node: Node, looks: number): void {
  if (looks > maxLooks)
    throw unsupported(
      scope,
      node,
      `the sets of keys of this GROUP BY have ${looks} groups together; at most ${maxLooks} are allowed`,
      'Ask for the finest table, GROUP BY x, y. Coarser ones are free after that.',
      { groups: looks, limit: maxLooks },
    )
}

/** As in PostgreSQL, a bare name is an attribute first and an alias second. */
function groupedValue(scope: Scope, node: Node, list: readonly Target[]): Scalar | Computed {
  const names = scope.universe.attributes.map((a) => a.name)
  const isAttribute = 'ColumnRef' in node && matchName(strings(node.ColumnRef.fields).at(-1)!, names).length > 0
  const target = isAttribute ? undefined : (targetAt(scope, 'GROUP BY', node, list) ?? targetNamed(node, list))
  const of = target?.node ?? node
  if (hasAggregate(of)) throw unsupported(scope, node, 'aggregates are not allowed in GROUP BY')
  const value = operand(scope, of)
  if (value.kind === 'constant') throw unsupported(scope, node, 'GROUP BY needs an attribute')
  return value
}
