import { attributesOf, type QueryList } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'

/** What the precision of a pair of attributes (positions, ascending) is worth; 0 for one that nobody asks about. */
export type PairWeights = (attributes: readonly [number, number]) => number

/** How many queries of a workload look at both attributes of a pair, whatever else they look at; 1 for all without a workload. */
export function pairWeights(queries: QueryList | undefined, universe: Universe): PairWeights {
  if (!queries) return () => 1
  const many = universe.attributes.length
  const counts = new Map<number, number>()
  for (const query of queries) {
    const looked = attributesOf(query, universe).map((name) => universe.index.get(name)!)
    for (const [i, a] of looked.entries())
      for (const b of looked.slice(i + 1)) counts.set(a * many + b, (counts.get(a * many + b) ?? 0) + 1)
  }
  return ([a, b]) => counts.get(a * many + b) ?? 0
}
