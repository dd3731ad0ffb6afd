import { addTimes, outer } from '../numeric/index.ts'
import { factorTable, type LinearQuery } from './linear-query.ts'

/** A query's weight in every cell of these attributes, the last running fastest. Other attributes and the groups are left out. */
export function weightTable({ terms }: LinearQuery, names: readonly string[], sizes: readonly number[]): Float64Array {
  const sums = new Float64Array(sizes.reduce((cells, size) => cells * size, 1))
  for (const { coefficient, factors } of terms) {
    const tables = names.map((name, axis) => factorTable(factors[name], sizes[axis]!))
    addTimes(sums, tables.reduce(outer, Float64Array.of(coefficient)), 1)
  }
  return sums
}
