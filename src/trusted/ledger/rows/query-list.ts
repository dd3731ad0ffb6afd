import {
  canonicalJson,
  countAll,
  type Grouping,
  type LinearQuery,
  MarginalList,
  type QueryList,
  queryFromJson,
  queryToJson,
} from '../../../query/index.ts'

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
/**
 * More than any run has: attributes in all marginals of a list together, which are kept as numbers, and queries that are an object each.
 * A few spans can stand for any number, so they are counted first: a forged row asks for no memory.
 */
const mostAxes = 2 ** 24
const mostQueries = 2 ** 22

/** Queries as JSON; rows from before counts were written together have them one by one. */
export function queriesToJson(list: QueryList, form?: 'one by one'): unknown[] {
  if (form) return Array.from(list, queryToJson)
  if (list instanceof MarginalList && list.length >= fewest) return [{ counts: countsOfMarginals(list) }]
  const queries = [...list]
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
let latest: { readonly text: string; readonly queries: WeakRef<QueryList> } | undefined
const long = 2 ** 12

/** Reads what queriesToJson wrote, in either form. What it gives is for reading only. */
export function queriesFromJson(values: readonly unknown[]): QueryList {
  if (!values.some(isTogether)) return read(values)
  const text = JSON.stringify(values)
  const known = latest?.text === text ? latest.queries.deref() : undefined
  if (known) return known
  const queries = read(values)
  if (queries.length >= long) latest = { text, queries: new WeakRef(queries) }
  return queries
}

function read(values: readonly unknown[]): QueryList {
  const marginals = values.length === 1 && isTogether(values[0]) ? marginalsFrom(values[0].counts) : undefined
  if (marginals) return marginals
  const spans = values.flatMap((value) => (isTogether(value) ? value.counts.spans : []))
  const count = spans.reduce((sum, span) => sum + countIn(span), 0)
  const axes = spans.reduce((sum, span) => sum + countIn(span) * (span.length - 1), 0)
  if (!(count <= mostQueries && axes <= mostAxes)) throw new TypeError()
  return values.flatMap((value) => (isTogether(value) ? [...eachCount(value.counts)] : [queryFromJson(value)]))
}

/** How many counts a span stands for; one that goes back takes nothing off the others. */
const countIn = (span: readonly number[]): number => Math.max(0, span.at(-1)! - span.at(-2)! + 1)

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

/** The same for a list of marginals, without an object for any. */
function countsOfMarginals(list: MarginalList): Counts {
  const groupings: Grouping[] = []
  const placeOf = new Int32Array(list.names.length).fill(-1)
  const spans: number[][] = []
  let before: number[] = []
  for (let place = 0; place < list.length; place++) {
    let continues = before.length > 0
    for (let i = 0; i < list.ways; i++) {
      const axis = list.axis(place, i)
      if (placeOf[axis]! < 0) placeOf[axis] = groupings.push({ attribute: list.names[axis]! }) - 1
      if (placeOf[axis] !== (i === list.ways - 1 ? before[i + 1]! + 1 : before[i])) continues = false
    }
    if (continues) before[list.ways]!++
    else {
      before = Array.from({ length: list.ways + 1 }, (_, i) => placeOf[list.axis(place, Math.min(i, list.ways - 1))]!)
      spans.push(before)
    }
  }
  return { groupings, spans }
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

export const isTogether = (value: unknown): value is { readonly counts: Counts } =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, 'counts')

function* eachCount({ groupings, spans }: Counts): Iterable<LinearQuery> {
  const by = readGroupings(groupings)
  for (const span of spans) {
    const [first, last] = boundsOf(span, by)
    const before = span.slice(0, -2).map((place) => by[place]!)
    for (let place = first; place <= last; place++)
      yield { by: [...before, by[place]!], terms: countAll.terms, step: countAll.step }
  }
}

/** A query of all the groupings is read as any other, so that nothing unknown slips through. */
const readGroupings = (groupings: readonly Grouping[]): readonly Grouping[] =>
  queryFromJson(queryToJson({ ...countAll, by: groupings })).by

function boundsOf(span: readonly number[], by: readonly Grouping[]): [first: number, last: number] {
  const [first, last] = [span.at(-2)!, span.at(-1)!]
  if (!span.every((place) => Number.isInteger(place) && by[place]) || first > last) throw new TypeError()
  return [first, last]
}

/** Counts that are all full marginals over as many attributes, as one list; undefined where they are not. */
function marginalsFrom({ groupings, spans }: Counts): MarginalList | undefined {
  const by = readGroupings(groupings)
  const ways = (spans[0]?.length ?? 0) - 1
  const isAlike = spans.every((span) => span.length === ways + 1)
  if (ways < 1 || !isAlike || by.some(({ groups }) => groups)) return undefined
  for (const span of spans) boundsOf(span, by)
  const count = spans.reduce((sum, span) => sum + countIn(span), 0)
  if (!(count * ways <= mostAxes)) throw new TypeError()
  const axes = new Int32Array(count * ways)
  let next = 0
  for (const span of spans)
    for (let last = span[ways - 1]!; last <= span[ways]!; last++) {
      for (let i = 0; i < ways - 1; i++) axes[next++] = span[i]!
      axes[next++] = last
    }
  return new MarginalList(
    by.map(({ attribute }) => attribute),
    ways,
    axes,
  )
}
