import type { Universe } from '../schema/index.ts'
import { answerSize, checkQuery, type LinearQuery } from './linear-query.ts'
import { MarginalList } from './marginal-list.ts'

/** Queries in order. An array of them is one; others make a query when it is looked at. */
export interface QueryList extends Iterable<LinearQuery> {
  readonly length: number
  at(place: number): LinearQuery | undefined
}

/** Throws unless each of them is well formed over the universe, as checkQuery does. */
export function checkQueries(queries: QueryList, universe: Universe): void {
  if (queries instanceof MarginalList) queries.check(universe)
  else for (const query of queries) checkQuery(query, universe)
}

/** Where the answers to each query begin when all stand one after the other, and where the last ones end. */
export function answerStarts(queries: QueryList, universe: Universe): Float64Array {
  if (queries instanceof MarginalList) return queries.starts(universe)
  const starts = new Float64Array(queries.length + 1)
  let place = 0
  for (const query of queries) {
    starts[place + 1] = starts[place]! + answerSize(query, universe)
    place++
  }
  return starts
}
