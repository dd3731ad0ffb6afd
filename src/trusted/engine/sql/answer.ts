import { strides } from '../../../numeric/index.ts'
import { axisSizes, type Integers, isMarginal, type LinearQuery } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { contract } from './histogram/contract.ts'
import { type Histogram, product } from './histogram/histogram.ts'
import { isRange, Ranges } from './histogram/ranges.ts'
import { groupTable, needsBigInts } from './histogram/weights.ts'
import type { Plan, PushedScan } from './plan.ts'
import type { QuerySet } from './query-sets.ts'

/** One GROUP BY over these attributes, and the marginals of it that are wanted. */
export interface MarginalsScan {
  readonly attributes: readonly number[]
  readonly sets: readonly (readonly number[])[]
}

/** The scans that a database has to offer; everything else about answering is common to all engines. */
export interface Scans {
  /** One reading of all records for the histograms of all these sets. */
  histograms(sets: readonly (readonly number[])[]): Promise<Iterable<Histogram>>
  /** The marginals of every scan, one scan after another. */
  marginals(scans: readonly MarginalsScan[]): AsyncIterable<Iterable<Histogram>>
  /** Calls `add` with every group's codes (in the order of scan.by) and its sum of each measure. */
  pushed(scan: PushedScan, add: (codes: Int32Array, measure: number, sum: number | bigint) => void): Promise<void>
}

/** Runs a plan, one scan after another; a histogram is forgotten as soon as its queries are answered. */
export async function run(queries: readonly LinearQuery[], u: Universe, p: Plan, scans: Scans): Promise<Integers[]> {
  const answers = new Array<Integers>(queries.length)
  let scan = 0
  const wanted = p.histograms.map(({ attributes, sets }) => ({ attributes, sets: sets.map((set) => set.attributes) }))
  for await (const histograms of scans.marginals(wanted)) {
    const { sets } = p.histograms[scan++]!
    let i = 0
    for (const histogram of histograms) answerSet(sets[i++]!, histogram, queries, u, answers)
  }
  for (const sets of p.passes) {
    let i = 0
    for (const histogram of await scans.histograms(sets.map((set) => set.attributes)))
      answerSet(sets[i++]!, histogram, queries, u, answers)
  }
  const sums = p.pushed.map((scan) => new Accumulators(scan, queries, u, answers))
  for (const [i, scan] of p.pushed.entries()) {
    await scans.pushed(scan, (codes, measure, sum) => sums[i]!.add(codes, measure, sum))
  }
  // A query without terms is in no scan.
  return queries.map((q, i) => answers[i] ?? zeros(q, u))
}

/** The answers to queries that look at the attributes of one histogram. */
function answerSet(
  set: QuerySet,
  histogram: Histogram,
  queries: readonly LinearQuery[],
  u: Universe,
  answers: Integers[],
): void {
  const left = set.queries.filter((q) => {
    const isSame = isHistogram(queries[q]!, histogram, u)
    if (isSame) answers[q] = histogram.counts
    return !isSame
  })
  if (left.length === 0) return
  const ranges = left.filter((q) => isRange(queries[q]!))
  // Sums over all corners pay off once there are as many ranges as it takes passes to make them.
  if (ranges.length > histogram.sizes.length && Ranges.areFewAxes(histogram)) {
    const sums = new Ranges(histogram, u)
    for (const q of ranges) answers[q] = sums.answer(queries[q]!)
  }
  for (const q of left) answers[q] ??= contract(queries[q]!, histogram, u)
}

/** Whether a query asks for the very counts of a histogram: a full marginal, its attributes in the universe's order. */
const isHistogram = (q: LinearQuery, { attributes }: Histogram, u: Universe): boolean =>
  isMarginal(q) &&
  q.by.length === attributes.length &&
  q.by.every(({ attribute }, i) => u.index.get(attribute) === attributes[i])

const zeros = (q: LinearQuery, u: Universe): Integers => {
  const cells = product(axisSizes(q, u))
  return needsBigInts(q, u) ? new Array<bigint>(cells).fill(0n) : new Float64Array(cells)
}

/** Folds the groups of a pushed scan into its queries' answers. */
class Accumulators {
  private readonly byMeasure: {
    coefficient: number
    answer: Integers
    axes: { groupOf: Int32Array; step: number }[]
  }[][]

  constructor(scan: PushedScan, queries: readonly LinearQuery[], u: Universe, answers: Integers[]) {
    this.byMeasure = scan.measures.map(() => [])
    for (const { query, coefficient, measure } of scan.uses) {
      const q = queries[query]!
      answers[query] ??= zeros(q, u)
      const steps = strides(axisSizes(q, u))
      const axes = scan.by.map((a) => {
        const at = q.by.findIndex((g) => g.attribute === u.attributes[a]!.name)
        return { groupOf: groupTable(q.by[at]!, u.attributes[a]!.size), step: steps[at]! }
      })
      this.byMeasure[measure]!.push({ coefficient, answer: answers[query], axes })
    }
  }

  add(codes: Int32Array, measure: number, sum: number | bigint): void {
    for (const { coefficient, answer, axes } of this.byMeasure[measure]!) {
      let cell = 0
      for (let i = 0; i < axes.length && cell >= 0; i++) {
        const group = axes[i]!.groupOf[codes[i]!]!
        cell = group < 0 ? -1 : cell + group * axes[i]!.step
      }
      if (cell < 0) continue
      if (answer instanceof Float64Array) answer[cell]! += coefficient * Number(sum)
      else (answer as bigint[])[cell]! += BigInt(coefficient) * BigInt(sum)
    }
  }
}
