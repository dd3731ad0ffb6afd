import {
  countAll,
  type Grouping,
  type LinearQuery,
  MarginalList,
  marginalOver,
  type QueryList,
} from '../../query/index.ts'
import { frozen } from '../ledger/index.ts'

const plain = frozen(structuredClone({ terms: countAll.terms, step: countAll.step }))

/**
 * Private copies. Plain marginals share their common parts, so that half a million of them take little time and memory.
 */
export function ownQueries(given: QueryList): QueryList {
  const marginals = MarginalList.copyOf(given)
  if (marginals) return marginals
  const groupings = new Map<string, Grouping>()
  const groupingOf = (attribute: string): Grouping => {
    const known = groupings.get(attribute) ?? Object.freeze({ attribute })
    groupings.set(attribute, known)
    return known
  }
  const others: LinearQuery[] = []
  const queries = Array.from(given, (query) => {
    const names = namesOf(query)
    if (!names) return others.push(query) - 1
    return { by: names.map(groupingOf), terms: plain.terms, step: plain.step }
  })
  const copies = frozen(structuredClone(others))
  return queries.map((query) => (typeof query === 'number' ? copies[query]! : query))
}

/** The attributes of a plain marginal, read once: even if the object returns something else later, this is what was asked for. */
function namesOf(query: LinearQuery): string[] | undefined {
  const names = Array.from(marginalOver(query) ?? [])
  return names.length > 0 && names.every((name) => typeof name === 'string') ? names : undefined
}
