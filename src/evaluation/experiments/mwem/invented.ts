import { type CodedTable, generatedTable, smallTable } from '../../marginals/index.ts'
import { withOnly } from './with-only.ts'

/** Some attributes of the generated census: for a first look, and where real tables do not lie beside the project. */
export const inventedCensus = (names: readonly string[], seed: number): CodedTable =>
  withOnly(generatedTable(5000, seed), names)

/** So many of the binary attributes of the small table. */
export function inventedBits(count: number, seed: number): CodedTable {
  const all = smallTable(seed)
  const names = all.universe.attributes.map(({ name }) => name)
  return withOnly(all, names.slice(0, count))
}
