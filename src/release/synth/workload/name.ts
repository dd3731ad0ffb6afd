import { describe, type LinearQuery, marginalOver } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { parityOver } from './parities.ts'

/** What a step of progress calls a query: "age × sex", "parity of smoke, phys", or its description. */
export function queryName(query: LinearQuery, universe: Universe): string {
  const attributes = marginalOver(query)
  if (attributes && attributes.length > 0) return attributes.join(' × ')
  const parity = parityOver(query)
  return parity ? `parity of ${parity.join(', ')}` : describe(query, universe)
}
