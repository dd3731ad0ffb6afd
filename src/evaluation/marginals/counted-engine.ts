import { marginalOver } from '../../query/index.ts'
import { fixedEngine } from '../fixed-engine.ts'
import type { Counted } from './count.ts'

/** An engine that has counted already: it knows these marginals and the number of records, and nothing else. */
export function countedEngine({ marginals, counts, records }: Counted) {
  const known = new Map(marginals.map((attributes, m) => [attributes.join(), counts[m]!]))
  known.set('', Float64Array.of(records))
  return fixedEngine('counted', (queries) =>
    queries.map((query) => {
      const found = known.get(marginalOver(query)?.join() ?? 'not a marginal')
      if (!found) throw new Error('only the marginals that were counted can be asked for')
      return found.slice()
    }),
  )
}
