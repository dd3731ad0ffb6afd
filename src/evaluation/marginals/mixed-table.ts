import { attribute, universe } from '../../schema/index.ts'
import { seededBits } from '../seeded.ts'
import type { CodedTable } from './table.ts'

/** How many values each of the 14 attributes has: as in a survey, some yes or no, some lists, an age and an amount. */
const sizes = [2, 2, 2, 3, 4, 5, 6, 7, 9, 12, 16, 24, 41, 74] as const

/**
 * Invented people with 14 attributes of 2 to 74 values. Each leans on one hidden number of the person, and values are unequal: those
 * of a list fall off by a power, so that most cells of a pair are small.
 */
export function mixedTable(seed: number, rows = 40_000): CodedTable {
  const { uniform } = seededBits(seed)
  const columns = sizes.map(() => new Uint16Array(rows))
  for (let row = 0; row < rows; row++) {
    const hidden = uniform()
    for (const [i, column] of columns.entries()) {
      const lean = (i % 4) / 4
      const u = uniform() < lean ? (hidden + 0.3 * uniform()) / 1.3 : uniform()
      column[row] = Math.min(sizes[i]! - 1, Math.floor(sizes[i]! * u ** (1 + (i % 3))))
    }
  }
  const names = sizes.map((size, i) =>
    attribute({ kind: 'integer', name: `item_${i + 1}`, low: 0, high: size - 1, closed: true }),
  )
  return { name: 'mixed table', universe: universe(names), rows, columns }
}
