import { sumsAlong } from './axes.ts'
import { RoundingPaths } from './rounding-paths.ts'

/**
 * Whole numbers next to those of a table that is nowhere negative and adds up, along each axis, to these whole one-way
 * tables: they add up to them exactly too. With two axes every number is rounded up or down, which is always possible; with
 * more it is not, and a few may be larger by 1 or more. docs/algorithms/marginals-afterwards.md
 */
export function wholeTable(table: Float64Array, sums: readonly Float64Array[]): Float64Array {
  const last = sums.at(-1)!
  if (sums.length === 1) return last
  // All axes but the last are rounded without it; their cells are then the rows of a table with two axes.
  const summed = sumsAlong(table, { size: table.length / last.length, inner: last.length })
  return roundedWithin(table, wholeTable(summed, sums.slice(0, -1)), last)
}

/**
 * All numbers are rounded down. What rows and columns then lack goes to the cells of the largest fractions, as long as
 * both lack something; the rest along paths that give to a cell and take from the next (Ford and Fulkerson 1956).
 */
function roundedWithin(table: Float64Array, rows: Float64Array, columns: Float64Array): Float64Array {
  const width = columns.length
  const whole = table.map(Math.floor)
  const inRows = sumsAlong(whole, { size: rows.length, inner: width }).map((sum, row) => rows[row]! - sum)
  const inColumns = sumsAlong(whole, { size: width, inner: 1 }).map((sum, column) => columns[column]! - sum)
  const raise = (cell: number) => {
    whole[cell]!++
    inRows[Math.floor(cell / width)]!--
    inColumns[cell % width]!--
  }
  for (const cell of byFraction(table, whole))
    if (inRows[Math.floor(cell / width)]! > 0 && inColumns[cell % width]! > 0) raise(cell)
  for (const least of [hardly, 0]) new RoundingPaths(table, whole, { inRows, inColumns, least }).giveAll()
  // Only where the rows are not what the table adds up to, as they may be with three axes or more.
  for (const [row, lacking] of inRows.entries())
    for (let times = lacking; times > 0; times--) {
      let best = -1
      for (let cell = row * width; cell < (row + 1) * width; cell++)
        if (inColumns[cell % width]! > 0 && (best < 0 || table[cell]! - whole[cell]! > table[best]! - whole[best]!))
          best = cell
      raise(best)
    }
  return whole
}

/** Avoid rounding numbers this near to a whole one away from it where the margins allow it. */
const hardly = 0.01

/** Fractions are sorted into so many classes: inside one, the first cell comes first. */
const kinds = 1024

/** The cells that may well be rounded up, largest fractions first. */
function byFraction(table: Float64Array, whole: Float64Array): Uint32Array {
  const kindOf = (cell: number) => Math.floor((1 - (table[cell]! - whole[cell]!)) * kinds)
  const ends = new Uint32Array(kinds + 1)
  for (let cell = 0; cell < table.length; cell++) if (table[cell]! - whole[cell]! > hardly) ends[kindOf(cell) + 1]!++
  for (let kind = 0; kind < kinds; kind++) ends[kind + 1]! += ends[kind]!
  const order = new Uint32Array(ends[kinds]!)
  for (let cell = 0; cell < table.length; cell++)
    if (table[cell]! - whole[cell]! > hardly) order[ends[kindOf(cell)]!++] = cell
  return order
}
