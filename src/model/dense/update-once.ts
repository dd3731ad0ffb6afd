import type { Universe } from '../../schema/index.ts'
import type { NoisyAnswer } from '../fitted-model.ts'
import type { Cells } from './cells.ts'
import { Projection } from './projection.ts'
import { answersFrom, type QueryTable, queryTable, spreadOut } from './query-table.ts'

/** A table that is changed in place: cells, and what makes records of them. */
export interface DenseTable {
  readonly universe: Universe
  readonly records: number
  readonly cells: Cells
  scale: number
}

/** Every new answer changes the table once. */
export function updateOnce(table: DenseTable, answer: NoisyAnswer): void {
  const query = queryTable(answer.query, table.universe)
  const sizes = table.universe.attributes.map(({ size }) => size)
  const projection = new Projection(sizes, query.axes)
  const factors = stepFactors(query, projection.sum(table.cells, table.scale), answer, table.records)
  if (factors) table.scale = table.records / projection.multiply(table.cells, factors)
}

/**
 * MWEM's step, Figure 1 of the NIPS version: every cell times exp(q(x)·(m - q(A))/2n), all answers of a cuboid at once.
 * That is for |q| ≤ 1: other queries are divided by their largest weight. No noisy answer counts for more than n records.
 * Undefined where the query is 0 everywhere.
 */
export function stepFactors(
  query: QueryTable,
  marginal: Float64Array,
  { values }: NoisyAnswer,
  records: number,
): Float64Array | undefined {
  const now = answersFrom(query, marginal)
  const most = query.weight?.reduce((a, w) => Math.max(a, Math.abs(w)), 0) ?? 1
  if (most === 0) return undefined
  const limit = records * most
  const clamped = now.map((_, i) => Math.min(limit, Math.max(-limit, values[i]!)))
  const half = now.map((answer, i) => (clamped[i]! - answer) / most ** 2 / (2 * records))
  return spreadOut(query, half).map(Math.exp)
}
