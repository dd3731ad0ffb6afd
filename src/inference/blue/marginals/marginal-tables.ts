import { type LinearQuery, type Measurement, marginalOver } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { lawOf } from '../../error-law/law.ts'
import { inOrderOf, numbers, readMarginal } from '../noisy-answers.ts'
import { Components } from './components.ts'

/**
 * What a history of full marginals says about other full marginals, whole tables at once: as History.estimates, without
 * an object per cell. Every measurement and every query must be a full marginal, and the measurements must tell them all.
 * One without noise says the number of records.
 */
export function combinedTables(
  universe: Universe,
  measurements: readonly Measurement[],
  queries: readonly LinearQuery[],
): Float64Array[] {
  const components = new Components(universe)
  for (const measurement of measurements) {
    const law = lawOf(measurement.law)
    if (law) components.add(readMarginal(measurement, law, universe)!)
  }
  const exact = measurements.findLast(({ law }) => law.kind === 'none')
  if (exact) components.publish(numbers(exact.values)[0]!)
  return queries.map((query) => {
    const names = marginalOver(query)!
    const places = names.map((name) => universe.index.get(name)!).sort((i, j) => i - j)
    return inOrderOf(names, components.marginal(places), universe)
  })
}
