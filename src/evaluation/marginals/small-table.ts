import { attribute, universe } from '../../schema/index.ts'
import { seededBits } from '../seeded.ts'
import type { CodedTable } from './table.ts'

const attributes = 16

/**
 * As small as the nltcs table of the MWEM paper: 21,574 invented people, and which of 16 things they cannot do. The frailer
 * somebody is, the more; some are hard for many, others for few.
 */
export function smallTable(seed: number, rows = 21_574): CodedTable {
  const { uniform } = seededBits(seed)
  const columns = Array.from({ length: attributes }, () => new Uint16Array(rows))
  for (let row = 0; row < rows; row++) {
    // The sum of twelve uniform numbers less six: near enough to a normal law.
    const frailty = Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6)
    for (const [i, column] of columns.entries()) column[row] = uniform() < logistic(2 * frailty - 0.25 * i) ? 1 : 0
  }
  const names = columns.map((_, i) => attribute({ kind: 'boolean', name: `task_${i + 1}`, closed: true }))
  return { name: 'small table', universe: universe(names), rows, columns }
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x))
