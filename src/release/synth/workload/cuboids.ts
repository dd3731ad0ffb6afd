import { countAll, type LinearQuery } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { refuseTooMany, refuseWays } from './limits.ts'
import { subsetCount, subsets } from './subsets.ts'

/** All marginals over k attributes (cuboids), each a query with one answer per cell. */
export function cuboids(universe: Universe, ways: number): LinearQuery[] {
  const names = universe.attributes.map(({ name }) => name)
  refuseWays(ways, names.length, 'the number of ways')
  refuseTooMany(subsetCount(names.length, ways))
  // Half a million of them share what is alike.
  const groupings = names.map((attribute) => ({ attribute }))
  return subsets(names.length, ways).map((axes) => ({ ...countAll, by: axes.map((axis) => groupings[axis]!) }))
}
