import { axisSizes, marginal } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { CellLaw, Combined, Precision } from './combine.ts'
import { independent, shrunk } from './shrink.ts'
import { projectOntoSimplex } from './simplex.ts'
import { projectOntoSums } from './slices.ts'
import { wholeNumbers } from './whole-numbers.ts'

/** Tables of whole numbers, nowhere negative, all of one total; biased, and much nearer to the truth for it. */
export interface Fitted {
  readonly total: number
  readonly tables: readonly Float64Array[]
  /** Before they were rounded. */
  readonly unrounded: readonly Float64Array[]
  readonly oneWay: ReadonlyMap<string, Float64Array>
}

export interface Fitting {
  readonly precision: Precision
  readonly rounds?: number
  /** The one-way table of an attribute, without negative counts and of this total. The nearest one, unless given. */
  readonly oneWayOf?: (values: Float64Array, total: number, law: CellLaw) => Float64Array
}

/** After so many rounds sums are right to a quarter of a record, in all that was tried; the error needs three. */
const enough = 20

/**
 * One-way tables are known best: they come first, as the nearest ones without negative counts. A larger table then moves
 * towards what its one-way tables alone would make of it, as far as its noise demands; after that to the nearest table
 * without negative counts that adds up to them. Why, and what it brings: docs/algorithms/marginals-afterwards.md
 */
export function fitted(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  combined: Combined,
  { precision, rounds = enough, oneWayOf = nonNegative }: Fitting,
): Fitted {
  const total = Math.max(0, Math.round(combined.total))
  const oneWay = new Map(
    [...combined.oneWay].map(([name, values]) => [name, oneWayOf(values, total, precision.oneWay.get(name)!)]),
  )
  const unrounded = marginals.map((attributes, i) => {
    const sums = attributes.map((name) => oneWay.get(name)!)
    if (attributes.length === 1) return sums[0]!
    const sizes = axisSizes(marginal(attributes), universe)
    const noise = ownNoise(precision, i, new Map(attributes.map((name, axis) => [name, sizes[axis]!])))
    return projectOntoSums(shrunk(combined.tables[i]!, independent(sums, total), noise), sizes, sums, rounds)
  })
  return { total, unrounded, tables: unrounded.map((table) => wholeNumbers(table, total)), oneWay }
}

function nonNegative(values: Float64Array, total: number): Float64Array {
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
