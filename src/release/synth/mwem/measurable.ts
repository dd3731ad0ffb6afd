import { MarginalList, marginalOver, type QueryList } from '../../../query/index.ts'
import type { SynthTerms } from '../method.ts'

/**
 * Without queries that no model could answer better, such as COUNT(*): those that look at no attribute, or whose answer no
 * record can move.
 */
export function measurable(
  queries: QueryList,
  { universe, distanceSensitivity }: Pick<SynthTerms, 'universe' | 'distanceSensitivity'>,
): QueryList {
  const varies = (name: string) => universe.attributes[universe.index.get(name)!]!.size > 1
  if (queries instanceof MarginalList) {
    const may = queries.names.map(varies)
    return queries.filter((place) => {
      for (let axis = 0; axis < queries.ways; axis++) if (may[queries.axis(place, axis)]) return true
      return false
    })
  }
  return [...queries].filter((query) => {
    const marginal = marginalOver(query)
    if (marginal) return marginal.some(varies)
    const looks = query.by.length > 0 || query.terms.some(({ factors }) => Object.keys(factors).length > 0)
    return looks && distanceSensitivity(query) > 0n
  })
}
