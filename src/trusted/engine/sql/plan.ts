import { answerSize, type LinearQuery, maxAnswerSize, type Term } from '../../../query/index.ts'
import { ReticentError, type Universe } from '../../../schema/index.ts'
import { mostAtOnce, mostCovered } from './pass/sets.ts'
import { type QuerySet, querySets } from './query-sets.ts'

/** How a batch of queries is answered: which scans, and what each of them serves. */
export interface Plan {
  readonly histograms: readonly HistogramScan[]
  /** Sets that are counted together while all records are read once; several times where there are too many cells. */
  readonly passes: readonly (readonly QuerySet[])[]
  readonly pushed: readonly PushedScan[]
}
/** One GROUP BY over these attributes (positions in the universe); every set of queries is answered from its marginal. */
interface HistogramScan {
  readonly attributes: readonly number[]
  readonly sets: readonly QuerySet[]
}
/** One scan that adds up products of factors, by the codes of some attributes. */
export interface PushedScan {
  readonly by: readonly number[]
  readonly measures: readonly Term['factors'][]
  /** answer(query) += coefficient × measure. */
  readonly uses: readonly { readonly query: number; readonly coefficient: number; readonly measure: number }[]
}

/** Cells of one dense histogram. */
const mostCells = 2 ** 24
/** Sets of attributes are merged into one scan while its cells stay below this: a judgement, not a measured optimum. */
const mergedCells = 2 ** 17
/**
 * The same where a scan is cheap. Trino counts texts with so few combinations by their places in a dictionary, and is several times slower
 * with more: 36 marginals of a census took half the processor time.
 */
const mergedCellsOfCheapScans = 2 ** 11
/** What a GROUP BY and the codes of one attribute cost a record, beside counting it in one histogram here. */
const costOfScan = 8
const costOfColumn = 4
/** A few GROUP BYs are always the database's. */
const costOfReading = 32
/** A measure in a scan costs about as much as this many cells of a histogram. */
const cellsPerMeasure = 2 ** 12
/** The same where the histogram is counted once for many questions, and each looks at its cells. */
const cellsPerWarmMeasure = 2 ** 15
/** Measures of one scan. */
const mostMeasures = 32

const keyOf = (attributes: readonly number[]) => attributes.join(',')
const isSubset = (a: readonly number[], b: ReadonlySet<number>) => a.every((x) => b.has(x))

/** Where the records are, and how often they are asked about. */
interface Circumstances {
  /** Records in another place are counted by GROUP BYs alone: none of them leaves the database. */
  readonly isRemote?: boolean
  /** For many questions histograms are counted once and kept, so larger ones pay off. */
  readonly isWarm?: boolean
  /** Beside a GROUP BY, reading the records costs little. */
  readonly isCheap?: boolean
}

export function plan(queries: readonly LinearQuery[], u: Universe, circumstances: Circumstances = {}): Plan {
  const { isRemote, isWarm, isCheap } = circumstances
  if (queries.reduce((n, q) => n + answerSize(q, u), 0) > maxAnswerSize) {
    throw new ReticentError(
      'query-invalid',
      { most: maxAnswerSize },
      { message: `the answers have more than ${maxAnswerSize} cells together`, hint: 'Group by fewer attributes.' },
    )
  }
  const cellsOf = (attributes: readonly number[]) => {
    let cells = 1
    for (const a of attributes) cells *= u.attributes[a]!.size
    return cells
  }
  const perMeasure = isWarm && !isRemote ? cellsPerWarmMeasure : cellsPerMeasure
  const dense: QuerySet[] = []
  const sparse: number[] = []
  for (const set of querySets(queries, u)) {
    // Few questions over many cells are cheaper asked one by one; all of a marginal's cells are wanted anyway.
    const measures = set.queries.reduce((n, q) => n + queries[q]!.terms.length, 0)
    const wanted = set.queries.reduce((n, q) => n + answerSize(queries[q]!, u), 0)
    const cells = cellsOf(set.attributes)
    if (cells <= mostCells && cells <= measures * perMeasure + wanted) dense.push(set)
    else for (const query of set.queries) sparse.push(query)
  }
  const sizes = { cellsOf, most: isCheap ? mergedCellsOfCheapScans : mergedCells }
  return { ...(isRemote ? groupings : scansOf)(dense, u, sizes), pushed: push(sparse, queries, u) }
}

interface Sizes {
  cellsOf(attributes: readonly number[]): number
  /** Cells of a scan that serves several sets. */
  readonly most: number
}

/** A few GROUP BYs of the database, or its records read once and counted here, whichever is less work. */
function scansOf(sets: QuerySet[], u: Universe, sizes: Sizes): Pick<Plan, 'histograms' | 'passes'> {
  const histograms = sets.length > mostCovered ? undefined : cover(sets, u, sizes)
  const columns = histograms && new Set(sets.flatMap(({ attributes }) => attributes)).size
  const isCheaper =
    histograms && histograms.length * costOfScan <= costOfReading + columns! * costOfColumn + sets.length
  return isCheaper ? { histograms, passes: [] } : { histograms: [], passes: passesOf(sets, sizes) }
}

/** GROUP BYs for all of them; so many at a time as are worth the search for few. */
function groupings(sets: QuerySet[], u: Universe, sizes: Sizes): Pick<Plan, 'histograms' | 'passes'> {
  const histograms: HistogramScan[] = []
  for (let from = 0; from < sets.length; from += mostCovered)
    histograms.push(...cover(sets.slice(from, from + mostCovered), u, sizes))
  return { histograms, passes: [] }
}

/** Sets in their order, as many to a pass as its counts leave room for. */
function passesOf(sets: readonly QuerySet[], { cellsOf }: Sizes): QuerySet[][] {
  const passes: QuerySet[][] = []
  let room = 0
  for (const set of sets) {
    const cells = cellsOf(set.attributes)
    if (cells > room) {
      passes.push([])
      room = mostAtOnce
    }
    passes.at(-1)!.push(set)
    room -= cells
  }
  return passes
}

/** Greedy: the largest set yet uncovered, grown by the attribute that brings the most further sets, while it is small. */
function cover(sets: QuerySet[], u: Universe, { cellsOf, most }: Sizes): HistogramScan[] {
  const scans: HistogramScan[] = []
  let open = sets.toSorted((a, b) => cellsOf(b.attributes) - cellsOf(a.attributes))
  while (open.length > 0) {
    const grown = new Set(open[0]!.attributes)
    let cells = cellsOf(open[0]!.attributes)
    for (;;) {
      const gain = (a: number) => {
        const larger = new Set(grown).add(a)
        return open.filter((s) => s.attributes.includes(a) && isSubset(s.attributes, larger)).length
      }
      const candidates = [...new Set(open.flatMap((s) => s.attributes))]
        .filter((a) => !grown.has(a) && cells * u.attributes[a]!.size <= most)
        .map((a) => ({ a, gain: gain(a) / Math.log2(1 + u.attributes[a]!.size) }))
      const best = candidates.reduce((x, y) => (y.gain > x.gain ? y : x), { a: -1, gain: 0 })
      if (best.gain === 0) break
      grown.add(best.a)
      cells *= u.attributes[best.a]!.size
    }
    const covered = open.filter((s) => isSubset(s.attributes, grown))
    open = open.filter((s) => !isSubset(s.attributes, grown))
    scans.push({ attributes: [...grown].sort((a, b) => a - b), sets: covered })
  }
  return scans
}

/** Queries with the same axes share scans; equal products of factors are added up once. */
function push(sparse: readonly number[], queries: readonly LinearQuery[], u: Universe): PushedScan[] {
  const groups = new Map<string, { by: number[]; open: Open[] }>()
  for (const query of sparse) {
    const by = queries[query]!.by.map((g) => u.index.get(g.attribute)!).sort((a, b) => a - b)
    const group = groups.get(keyOf(by)) ?? { by, open: [] }
    groups.set(keyOf(by), group)
    for (const { coefficient, factors } of queries[query]!.terms) {
      const sorted = Object.fromEntries(Object.entries(factors).sort(([a], [b]) => (a < b ? -1 : 1)))
      const key = JSON.stringify(sorted)
      let scan = group.open.find((s) => s.keys.has(key)) ?? group.open.at(-1)
      if (!scan || (!scan.keys.has(key) && scan.measures.length >= mostMeasures)) {
        scan = { by, keys: new Map(), measures: [], uses: [] }
        group.open.push(scan)
      }
      if (!scan.keys.has(key)) {
        scan.keys.set(key, scan.measures.length)
        scan.measures.push(factors)
      }
      scan.uses.push({ query, coefficient, measure: scan.keys.get(key)! })
    }
  }
  return [...groups.values()].flatMap((g) => g.open)
}
interface Open {
  by: number[]
  keys: Map<string, number>
  measures: Term['factors'][]
  uses: { query: number; coefficient: number; measure: number }[]
}
