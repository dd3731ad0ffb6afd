import type { Node } from '@pgsql/types'
import { type Scope, unsupported } from '../scope.ts'

/** More sets of keys than this are refused: CUBE doubles with every key. */
const maxSets = 64

/** The sets of keys that a GROUP BY asks for: one, but for ROLLUP, CUBE and GROUPING SETS. */
export function groupingSets(scope: Pick<Scope, 'text'>, clause: readonly Node[]): Node[][] {
  const sets = clause.reduce<Node[][]>((all, node) => crossed(scope, node, all, setsOf(scope, node)), [[]])
  return sets.map((set) => [...new Set(set)])
}

function crossed(scope: Pick<Scope, 'text'>, node: Node, all: Node[][], next: Node[][]): Node[][] {
  if (all.length * next.length > maxSets)
    throw unsupported(
      scope,
      node,
      `this GROUP BY asks for more than ${maxSets} sets of keys`,
      'Ask for the finest table, GROUP BY x, y. Coarser ones are free after that.',
    )
  return all.flatMap((set) => next.map((more) => [...set, ...more]))
}

function setsOf(scope: Pick<Scope, 'text'>, node: Node): Node[][] {
  if (!('GroupingSet' in node)) return [keysIn(node)]
  const { kind, content = [] } = node.GroupingSet
  const items = content.map(keysIn)
  switch (kind) {
    case 'GROUPING_SET_EMPTY':
      return [[]]
    case 'GROUPING_SET_ROLLUP':
      return Array.from({ length: items.length + 1 }, (_, i) => items.slice(0, items.length - i).flat())
    case 'GROUPING_SET_CUBE':
      // From all of them to none, the first key leaving last.
      return items.reduceRight<Node[][]>((sets, item) => crossed(scope, node, [item, []], sets), [[]])
    default:
      return content.flatMap((item) => setsOf(scope, item))
  }
}

/** (a, b) is one item of two keys. */
const keysIn = (node: Node): Node[] => ('RowExpr' in node ? (node.RowExpr.args ?? []) : [node])
