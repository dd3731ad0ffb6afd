import { strides } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { MarginalsScan } from './answer.ts'
import { placeIn, takeCount } from './counted.ts'
import type { Session } from './database.ts'
import { code, grouped } from './encoding/records.ts'
import { cast, double } from './encoding/words.ts'
import { emptyHistogram, type Histogram, marginalsOf, product } from './histogram/histogram.ts'

type Sets = readonly (readonly number[])[]

/** Codes with their number of records (`n`), where the records are. */
export interface Counted {
  /** What must stand before a statement that reads them, where all statements of a batch should be one. */
  readonly before?: string
  /** Whether making the codes again costs little. */
  readonly isCheap?: boolean
  of(attributes: readonly number[]): string
}

/**
 * The counts of several sets of attributes, from one relation of codes and of how many records have them. A row has a cell's place among
 * those of all sets, one set after another, and its count: nothing else comes over a network.
 */
export function marginalsSql({ attributes, sets }: MarginalsScan, from: string, u: Universe, start = 0): string {
  let next = start
  const places = sets.map((set) => {
    const sizes = sizesOf(set, u)
    const steps = strides(sizes)
    const place = [next, ...set.map((a, axis) => `${cast(code(a), 'BIGINT')} * ${steps[axis]}`)].join(' + ')
    next += product(sizes)
    return place
  })
  // A bit for every attribute that a row is not grouped by, the last one's the lowest.
  const bits = (set: readonly number[]) => attributes.reduce((n, a) => 2 * n + (set.includes(a) ? 0 : 1), 0)
  const cases = places.map((place, i) => `WHEN ${bits(sets[i]!)} THEN ${place}`)
  const alone = sets.length === 1
  const place = alone ? places[0] : `CASE grouping(${attributes.map(code).join(', ')}) ${cases.join(' ')} END`
  const groups = sets.map((set) => `(${set.map(code).join(', ')})`)
  const by = alone ? grouped(sets[0]!.map(code)) : ` GROUP BY GROUPING SETS (${groups.join(', ')})`
  return `SELECT ${place}, ${double('coalesce(sum(n), 0)')} FROM (${from}) AS counted${by}`
}

const sizesOf = (set: readonly number[], u: Universe) => set.map((a) => u.attributes[a]!.size)
const cellsOf = (sets: Sets, u: Universe) => sets.reduce((n, set) => n + product(sizesOf(set, u)), 0)

/** More attributes than this have no room in a number of 32 bits. */
const mostGrouped = 30
/** Cells of the statements that are asked as one, and characters: servers take a million. */
const mostAtOnce = 2 ** 22
const longestAtOnce = 2 ** 18
/** How many they are where that saves only the time between them. */
const mostSideBySide = 8

/** Marginals that are added up where the records are, unless the whole histogram has fewer cells. */
export async function* remoteMarginals(
  session: Session,
  u: Universe,
  counted: Counted,
  scans: readonly MarginalsScan[],
): AsyncGenerator<Iterable<Histogram>> {
  const isFewer = ({ attributes, sets }: MarginalsScan) =>
    attributes.length <= mostGrouped && cellsOf(sets, u) < cellsOf([attributes], u)
  const asked = scans.map((scan) => (isFewer(scan) ? scan : { ...scan, sets: [scan.attributes] }))
  for (const batch of batchesOf(asked, u, counted)) {
    const found = await countsOf(
      session,
      u,
      counted,
      batch.map((i) => asked[i]!),
    )
    for (const [at, i] of batch.entries())
      yield asked[i] === scans[i] ? found[at]! : marginalsOf(found[at]![0]!, scans[i]!.sets)
  }
}

/** Scans in their order, several to a statement where that saves making the codes again, or where making them again is cheap. */
function batchesOf(scans: readonly MarginalsScan[], u: Universe, { before, isCheap, of }: Counted): number[][] {
  const most = before !== undefined ? Number.POSITIVE_INFINITY : isCheap ? mostSideBySide : 1
  const batches: number[][] = []
  let [cells, length] = [0, 0]
  for (const [i, { attributes, sets }] of scans.entries()) {
    cells += cellsOf(sets, u)
    length += of(attributes).length
    if (i === 0 || batches.at(-1)!.length === most || cells > mostAtOnce || length > longestAtOnce) {
      batches.push([])
      cells = cellsOf(sets, u)
      length = of(attributes).length
    }
    batches.at(-1)!.push(i)
  }
  return batches
}

async function countsOf(session: Session, u: Universe, counted: Counted, scans: readonly MarginalsScan[]) {
  let start = 0
  const statements = scans.map((scan) => {
    const sql = marginalsSql(scan, counted.of(scan.attributes), u, start)
    start += cellsOf(scan.sets, u)
    return sql
  })
  const counts = new Float64Array(start)
  await session.rows(`${counted.before ?? ''}${statements.join(' UNION ALL ')}`, (at) => {
    takeCount(counts, placeIn(counts.length, at(0)), at(1))
  })
  let next = 0
  return scans.map(({ sets }) =>
    sets.map((set): Histogram => {
      const histogram = emptyHistogram(set, sizesOf(set, u))
      histogram.counts.set(counts.subarray(next, next + histogram.counts.length))
      next += histogram.counts.length
      return histogram
    }),
  )
}
