import { MarginalList } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { refuseTooMany, refuseWays } from './limits.ts'
import { subsetCount, subsets } from './subsets.ts'

/** All marginals over k attributes (cuboids), each a query with one answer per cell. */
export function cuboids(universe: Universe, ways: number): MarginalList {
  const names = universe.attributes.map(({ name }) => name)
  refuseWays(ways, names.length, 'the number of ways')
  refuseTooMany(subsetCount(names.length, ways))
  return new MarginalList(names, ways, subsets(names.length, ways))
}
