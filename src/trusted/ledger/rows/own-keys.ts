import { type LinearQuery, MarginalList, marginalOver, type QueryList, queryKey } from '../../../query/index.ts'

/**
 * The keys of those queries of a run that may be among the ones asked about. Half a million keys take a second to write,
 * so most queries are told apart by a number that equal ones share.
 */
export function ownKeys(queries: QueryList, asked: readonly LinearQuery[]): Set<string> {
  if (queries instanceof MarginalList) return ownMarginals(queries, asked)
  const sketch = sketcher()
  const wanted = new Set(asked.map(sketch))
  const keys = new Set<string>()
  for (const query of queries) if (wanted.has(sketch(query))) keys.add(queryKey(query))
  return keys
}

/** The same in a list of marginals: only those whose first two attributes an asked one has are looked at more closely. */
function ownMarginals(list: MarginalList, asked: readonly LinearQuery[]): Set<string> {
  const position = new Map(list.names.map((name, i) => [name, i]))
  const wanted = asked
    .map((query) => ({ key: queryKey(query), axes: marginalOver(query)?.map((name) => position.get(name)) }))
    .filter(({ axes }) => axes?.length === list.ways)
  const second = Math.min(1, list.ways - 1)
  const start = (first: number, next: number) => first * list.names.length + next
  const byStart = Map.groupBy(wanted, ({ axes }) => start(axes![0] ?? -1, axes![second] ?? -1))
  const begins = Uint8Array.from(list.names, (_, i) => Number(wanted.some(({ axes }) => axes![0] === i)))
  const keys = new Set<string>()
  for (let place = 0; place < list.length; place++) {
    const first = list.axis(place, 0)
    const alike = begins[first] ? byStart.get(start(first, list.axis(place, second))) : undefined
    for (const { key, axes } of alike ?? []) if (axes!.every((axis, i) => axis === list.axis(place, i))) keys.add(key)
  }
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
