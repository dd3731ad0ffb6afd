import { type LinearQuery, marginalOver } from '../../../query/index.ts'
import type { SynthTerms } from '../method.ts'

/**
 * Without queries that no model could answer better, such as COUNT(*): those that look at no attribute, or whose answer no
 * record can move.
 */
export function measurable(
  queries: readonly LinearQuery[],
  { universe, distanceSensitivity }: Pick<SynthTerms, 'universe' | 'distanceSensitivity'>,
): readonly LinearQuery[] {
  const varies = (name: string) => universe.attributes[universe.index.get(name)!]!.size > 1
  return queries.filter((query) => {
    const marginal = marginalOver(query)
    if (marginal) return marginal.some(varies)
    const looks = query.by.length > 0 || query.terms.some(({ factors }) => Object.keys(factors).length > 0)
    return looks && distanceSensitivity(query) > 0n
  })
}
