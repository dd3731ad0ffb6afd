import type { Universe } from '../../schema/index.ts'
import type { PastAnswers } from '../history-model.ts'
import { learnedPrior } from '../kernel/prior/learned-prior.ts'
import type { PriorTables } from '../kernel/prior/prior.ts'

/** No code is impossible before it was asked about: each has at least the share of so many records. */
const leastRecords = 0.5

/** What the history tells of single attributes, as shares above 0; all codes alike where it tells nothing. */
export function priorShares(past: PastAnswers, records: number, random: () => number): Float64Array[] {
  return tableShares(past.universe, learnedPrior(past, random), records)
}

/** The same of tables that were learned already. */
export const tableShares = ({ attributes }: Universe, tables: PriorTables, records: number): Float64Array[] =>
  attributes.map(({ size }, a) => sharesOf(tables[a], size, records))

/** All codes alike. */
export const uniformShares = ({ attributes }: Universe): Float64Array[] =>
  attributes.map(({ size }) => new Float64Array(size).fill(1 / size))

function sharesOf(table: ArrayLike<number> | undefined, size: number, records: number): Float64Array {
  const counts = Float64Array.from({ length: size }, (_, code) => table?.[code] ?? 1)
  const sum = counts.reduce((a, b) => a + b, 0)
  const least = leastRecords / (records * size)
  const shares = counts.map((count) => Math.max(least, sum > 0 ? count / sum : 1 / size))
  const total = shares.reduce((a, b) => a + b, 0)
  return shares.map((share) => share / total)
}
