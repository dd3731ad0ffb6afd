import { queryKey } from './json.ts'
import type { LinearQuery } from './linear-query.ts'

const keys = new WeakMap<LinearQuery, string>()

/** The key of a query that nobody changes any more, such as those of a long history: written once. */
export function keptKey(query: LinearQuery): string {
  const known = keys.get(query)
  if (known !== undefined) return known
  const key = queryKey(query)
  keys.set(query, key)
  return key
}
