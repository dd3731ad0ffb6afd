import type { Universe } from '../../../../schema/index.ts'
import type { NoisyAnswer } from '../../mwem/fitted-model.ts'
import { type Cells, Projection } from './projection.ts'
import { answersFrom, queryTable, spreadOut } from './query-table.ts'

/** A table that is changed in place: cells, and what makes records of them. */
export interface DenseTable {
  readonly universe: Universe
  readonly records: number
  readonly cells: Cells
  scale: number
}

/**
 * MWEM's step, Figure 1 of the NIPS version: every cell times exp(q(x)·(m - q(A))/2n), all answers of a cuboid at once.
 * That is for |q| ≤ 1: other queries are divided by their largest weight. No noisy answer counts for more than n records.
 */
export function updateOnce(table: DenseTable, { query, values }: NoisyAnswer): void {
  const { universe, records, cells } = table
  const sizes = universe.attributes.map(({ size }) => size)
  const wanted = queryTable(query, universe)
  const projection = new Projection(sizes, wanted.axes)
  const now = answersFrom(wanted, projection.sum(cells, table.scale))
  const most = wanted.weight?.reduce((a, w) => Math.max(a, Math.abs(w)), 0) ?? 1
  if (most === 0) return
  const limit = records * most
  const clamped = now.map((_, i) => Math.min(limit, Math.max(-limit, values[i]!)))
  const half = now.map((answer, i) => (clamped[i]! - answer) / most ** 2 / (2 * records))
  table.scale = records / projection.multiply(cells, spreadOut(wanted, half).map(Math.exp))
}
