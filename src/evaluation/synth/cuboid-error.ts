import { mean } from '../../numeric/index.ts'
import type { Counted } from '../marginals/index.ts'

/** How far cuboids are off (MWEM paper, §3.3): the mean absolute error in each, its mean over all, and the largest. */
interface CuboidError {
  readonly mean: number
  readonly largest: number
}

export function cuboidError({ counts }: Counted, tables: readonly Float64Array[]): CuboidError {
  const errors = counts.map((exact, i) => mean(Array.from(exact, (count, cell) => Math.abs(tables[i]![cell]! - count))))
  return { mean: mean(errors), largest: errors.reduce((most, error) => Math.max(most, error)) }
}
