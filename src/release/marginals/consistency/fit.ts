import { axisSizes, marginal } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Combined, Precision } from './combine.ts'
import { independent, shrunk } from './shrink.ts'
import { projectOntoSimplex } from './simplex.ts'
import { projectOntoSums } from './slices.ts'
import { wholeNumbers } from './whole-numbers.ts'
import { wholeTable } from './whole-tables.ts'

/** Tables that are nowhere negative, all of one total; biased, and much nearer to the truth for it. */
export interface Fitted {
  readonly total: number
  /** Not rounded. Those of several attributes add up to the whole one-way tables. */
  readonly tables: readonly Float64Array[]
  readonly oneWay: ReadonlyMap<string, OneWay>
}
interface OneWay {
  readonly unrounded: Float64Array
  readonly whole: Float64Array
}

interface Fitting {
  readonly precision: Precision
  readonly rounds?: number
}

/** All sums of a table together were off by less than half a record after 15 rounds in all releases tried, most after 5. */
const [gap, mostRounds] = [0.5, 50]

/**
 * One-way tables are known best: they come first, as the nearest ones without negative counts. A larger table then moves
 * towards what its one-way tables alone would make of it, as far as its noise demands; after that to the nearest table
 * without negative counts that adds up to them. Why, and what it brings: docs/algorithms/marginals-afterwards.md
 */
export function fitted(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  combined: Combined,
  { precision, rounds = mostRounds }: Fitting,
): Fitted {
  const total = Math.max(0, Math.round(combined.total))
  const oneWay = new Map(
    [...combined.oneWay].map(([name, values]) => {
      const unrounded = nearestTable(values, total)
      return [name, { unrounded, whole: wholeNumbers(unrounded, total) }]
    }),
  )
  const tables = marginals.map((attributes, i) => {
    if (attributes.length === 1) return oneWay.get(attributes[0]!)!.unrounded
    const sums = attributes.map((name) => oneWay.get(name)!.whole)
    const sizes = axisSizes(marginal(attributes), universe)
    const noise = ownNoise(precision, i, new Map(attributes.map((name, axis) => [name, sizes[axis]!])))
    return projectOntoSums(shrunk(combined.tables[i]!, independent(sums, total), noise), sums, { gap, rounds })
  })
  return { total, tables, oneWay }
}

/** The fitted tables in whole numbers: the counts of single values are the same in all of them. */
export const wholeTables = (marginals: readonly (readonly string[])[], { tables, oneWay }: Fitted): Float64Array[] =>
  marginals.map((attributes, i) =>
    wholeTable(
      tables[i]!,
      attributes.map((name) => oneWay.get(name)!.whole),
    ),
  )

/** The nearest table without negative counts, of this total. */
export function nearestTable(values: Float64Array, total: number): Float64Array {
  const table = values.slice()
  projectOntoSimplex(table, total)
  return table
}

/**
 * The variance of a table's cell without what it shares with its one-way tables: a cell's variance is a sum over
 * components (docs/algorithms/blue.md), and a one-way table has its attribute's and the total's, which must be taken away
 * once only. It is divided by the square of how many cells a one-way count is spread over.
 */
export function ownNoise({ tables, oneWay, total }: Precision, i: number, sizes: ReadonlyMap<string, number>): number {
  const cells = [...sizes.values()].reduce((product, n) => product * n, 1)
  let shared = -((sizes.size - 1) * total.variance) / cells ** 2
  for (const [name, size] of sizes) shared += oneWay.get(name)!.variance * (size / cells) ** 2
  return Math.max(0, tables[i]!.variance - shared)
}
