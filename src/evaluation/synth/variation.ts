import type { TableModel } from '../../model/index.ts'
import { mean, sum } from '../../numeric/index.ts'
import { type CodedTable, type Counted, countMarginals } from '../marginals/index.ts'

/** Half of what two tables differ by, once each adds up to 1: 0 where they are alike, 1 where no record is in common. */
export function totalVariation(exact: Float64Array, other: Float64Array): number {
  const [n, m] = [sum(exact), sum(other)]
  return exact.reduce((distance, count, i) => distance + Math.abs(count / n - other[i]! / m), 0) / 2
}

/** The mean total variation over marginals of a table, counted before, and of rows that stand for it. */
export const variationOfRows = (exact: Counted, rows: CodedTable): number =>
  meanVariation(exact, countMarginals(rows, exact.marginals).counts)

/** The same of a model. */
export const variationOfModel = (exact: Counted, model: TableModel): number =>
  meanVariation(exact, tablesOf(model, exact.marginals))

/** A model's tables over some attributes each. */
export const tablesOf = (model: TableModel, marginals: Counted['marginals']): Float64Array[] =>
  marginals.map((names) => model.marginal(names.map((name) => model.universe.index.get(name)!)))

const meanVariation = ({ counts }: Counted, tables: readonly Float64Array[]): number =>
  mean(counts.map((table, i) => totalVariation(table, tables[i]!)))
