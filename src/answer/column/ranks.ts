import type { WindowRank } from '../../query/index.ts'

interface Bounds {
  readonly low: number
  readonly high: number
}

/** What rows are sorted by: the place of a key, the first of which comes first, or where a number lies. */
export type SortedBy = { readonly place: number } | Bounds

/**
 * Between which ranks a row is, if all numbers lie within their bounds: those that certainly come before it, and those that may.
 * A dense rank counts different numbers, of which there are as many as bounds that do not touch.
 */
export function rankBounds(
  { by, ties }: Pick<WindowRank, 'by' | 'ties'>,
  rows: readonly (readonly SortedBy[])[],
  own: number,
): Bounds {
  const sides = rows.map((row, i) => (i === own ? 'same' : sideOf(by, row, rows[own]!)))
  const before = rows.filter((_, i) => sides[i] === 'before')
  const notAfter = sides.filter((side) => side !== 'after').length
  return { low: 1 + (ties === 'dense' ? apart(before) : before.length), high: notAfter }
}

/** Whether a row comes before another, after it, or it is not known; equal rows count as not known. */
function sideOf(by: WindowRank['by'], a: readonly SortedBy[], b: readonly SortedBy[]): 'before' | 'after' | undefined {
  for (const [i, { descending }] of by.entries()) {
    const [x, y] = [a[i]!, b[i]!]
    if ('place' in x || 'place' in y) {
      const order = 'place' in x && 'place' in y ? x.place - y.place : 0
      if (order !== 0) return order < 0 ? 'before' : 'after'
      continue
    }
    if (x.low > y.high) return descending ? 'before' : 'after'
    if (x.high < y.low) return descending ? 'after' : 'before'
    if (x.low !== x.high || y.low !== y.high) return undefined
  }
  return undefined
}

const boundsOf = (of: SortedBy): Bounds => ('place' in of ? { low: of.place, high: of.place } : of)

/** How many different numbers there are at least: bounds that do not touch, by the first item that rows are sorted by. */
function apart(rows: readonly (readonly SortedBy[])[]): number {
  let [count, last] = [0, Number.NEGATIVE_INFINITY]
  for (const { low, high } of rows.map((row) => boundsOf(row[0]!)).sort((a, b) => a.high - b.high))
    if (low > last) {
      count++
      last = high
    }
  return count
}
