import {
  canonicalJson,
  countAll,
  type Grouping,
  type LinearQuery,
  queryFromJson,
  queryToJson,
} from '../../query/index.ts'

/**
 * Many counts, written together: a list of groupings, each once, and spans of places in it. A span [a, b, first, last]
 * stands for the counts by a, b and first, by a, b and the one after first, … and by a, b and last. All pairs of 1,000
 * attributes are 999 spans.
 */
interface Counts {
  readonly groupings: readonly Grouping[]
  readonly spans: readonly (readonly number[])[]
}

/** Fewer counts in a row are written one by one, as all queries were at first. */
const fewest = 64
/** More queries than any run has: a damaged list asks for no memory. */
const mostQueries = 2 ** 24

/** Queries as JSON; rows from before counts were written together have them one by one. */
export function queriesToJson(queries: readonly LinearQuery[], form?: 'one by one'): unknown[] {
  if (form) return queries.map(queryToJson)
  const json: unknown[] = []
  for (let from = 0; from < queries.length; ) {
    let to = from
    while (to < queries.length && isCount(queries[to]!)) to++
    if (to - from >= fewest) json.push({ counts: countsOf(queries.slice(from, to)) })
    else {
      to = Math.max(to, from + 1)
      for (let q = from; q < to; q++) json.push(queryToJson(queries[q]!))
    }
    from = to
  }
  return json
}

/** The last long list: a row is read by the ledger that writes it and by every book, and one list will do for all. */
let latest: { readonly text: string; readonly queries: WeakRef<readonly LinearQuery[]> } | undefined
const long = 2 ** 12

/** Reads what queriesToJson wrote, in either form. What it gives is for reading only. */
export function queriesFromJson(values: readonly unknown[]): readonly LinearQuery[] {
  if (!values.some(isTogether)) return read(values)
  const text = JSON.stringify(values)
  const known = latest?.text === text ? latest.queries.deref() : undefined
  if (known) return known
  const queries = read(values)
  if (queries.length >= long) latest = { text, queries: new WeakRef(queries) }
  return queries
}

function read(values: readonly unknown[]): LinearQuery[] {
  const queries: LinearQuery[] = []
  for (const value of values)
    for (const query of isTogether(value) ? eachCount(value.counts) : [queryFromJson(value)])
      if (queries.push(query) > mostQueries) throw new TypeError()
  return queries
}

/** Whether a query counts records by some attributes, and does nothing else. */
function isCount({ by, terms, step }: LinearQuery): boolean {
  if (by.length === 0 || terms.length !== 1 || step.num !== 1n || step.den !== 1n) return false
  for (const _ in terms[0]!.factors) return false
  return terms[0]!.coefficient === 1
}

function countsOf(queries: readonly LinearQuery[]): Counts {
  const table = new GroupingTable()
  const spans: number[][] = []
  for (const { by } of queries) {
    const before = spans.at(-1)
    if (before && continues(before, by, table)) before[before.length - 1]!++
    else spans.push([...by, by.at(-1)!].map((grouping) => table.placeOf(grouping)))
  }
  return { groupings: table.groupings, spans }
}

/** Whether a count comes right after a span. */
function continues(span: readonly number[], by: readonly Grouping[], table: GroupingTable): boolean {
  if (span.length !== by.length + 1) return false
  // In order, so that groupings come up in the same order whether or not it does.
  for (let i = 0; i < by.length; i++)
    if (table.placeOf(by[i]!) !== (i === by.length - 1 ? span[i + 1]! + 1 : span[i]!)) return false
  return true
}

/** Groupings in the order in which they first come up. */
class GroupingTable {
  readonly groupings: Grouping[] = []
  /** By identity, since most are the same objects, and by what they say. */
  readonly #places = new Map<Grouping | string, number>()

  placeOf(grouping: Grouping): number {
    const key = grouping.groups ? grouping : grouping.attribute
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const text = canonicalJson(grouping)
    const place = this.#places.get(text) ?? this.groupings.push(grouping) - 1
    this.#places.set(text, place)
    this.#places.set(key, place)
    return place
  }
}

const isTogether = (value: unknown): value is { readonly counts: Counts } =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, 'counts')

function* eachCount({ groupings, spans }: Counts): Iterable<LinearQuery> {
  // A query of all the groupings is read as any other, so that nothing unknown slips through.
  const { by } = queryFromJson(queryToJson({ ...countAll, by: groupings }))
  for (const span of spans) {
    const [first, last] = [span.at(-2)!, span.at(-1)!]
    if (!span.every((place) => Number.isInteger(place) && by[place]) || first > last) throw new TypeError()
    const before = span.slice(0, -2).map((place) => by[place]!)
    for (let place = first; place <= last; place++)
      yield { by: [...before, by[place]!], terms: countAll.terms, step: countAll.step }
  }
}
