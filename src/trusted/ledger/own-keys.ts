import { type LinearQuery, queryKey } from '../../query/index.ts'

/**
 * The keys of those queries of a run that may be among the ones asked about. Half a million keys take a second to write,
 * so most queries are told apart by a number that equal ones share.
 */
export function ownKeys(queries: readonly LinearQuery[], asked: readonly LinearQuery[]): Set<string> {
  const sketch = sketcher()
  const wanted = new Set(asked.map(sketch))
  const keys = new Set<string>()
  for (const query of queries) if (wanted.has(sketch(query))) keys.add(queryKey(query))
  return keys
}

/** A whole number for each query, the same for equal ones whatever the order of their keys. */
function sketcher(): (query: LinearQuery) => number {
  const numbers = new Map<string, number>()
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size + 1
    numbers.set(name, known)
    return known
  }
  return ({ by, terms }) => {
    let sketch = terms.length
    for (const { attribute, groups } of by)
      sketch = Math.imul(sketch, 8191) + numberOf(attribute) + (groups?.length ?? 0)
    const factors = terms[0]?.factors ?? {}
    for (const name in factors) {
      const factor = factors[name]!
      const bounds = 'from' in factor ? Math.imul(factor.from, 131071) + factor.to : 0
      sketch += Math.imul(numberOf(name), 524287) + Math.imul(bounds, numberOf(name))
    }
    return sketch | 0
  }
}
