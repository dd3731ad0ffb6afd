import { below } from './quick-random.ts'

/** Tables over all pairs of attributes, in one square of all codes: those of attribute a begin at offsets[a]. */
export interface PairSquare {
  readonly offsets: readonly number[]
  readonly width: number
  /**
   * By two codes, in either order: how many more records there are than there should be. A proposal then reads along two
   * lines of the square.
   */
  readonly surplus: Float32Array
  /** What a squared surplus counts; in either order too. */
  readonly weights: Float32Array
}

/**
 * Proposes to swap one attribute's values between two random rows, so many times, and does it where Σ weight·surplus²
 * falls. No one-way marginal changes. `rows` are codes of the square, one row after the other. Returns the number of swaps done.
 */
export function swapTowards(
  rows: Int32Array,
  { offsets, width, surplus, weights }: PairSquare,
  proposals: number,
  words: () => number,
): number {
  const attributes = offsets.length
  const count = rows.length / attributes
  let swaps = 0
  for (let proposal = 0; proposal < proposals; proposal++) {
    const first = attributes * below(count, words)
    const second = attributes * below(count, words)
    const attribute = below(attributes, words)
    const [a, b] = [rows[first + attribute]!, rows[second + attribute]!]
    if (a === b) continue
    let change = 0
    for (let other = 0; other < attributes; other++) {
      const x = rows[first + other]!
      const y = rows[second + other]!
      if (other === attribute || x === y) continue
      const ax = a * width + x
      const ay = a * width + y
      const bx = b * width + x
      const by = b * width + y
      change += weights[ax]! * (1 - 2 * surplus[ax]!) + weights[by]! * (1 - 2 * surplus[by]!)
      change += weights[bx]! * (1 + 2 * surplus[bx]!) + weights[ay]! * (1 + 2 * surplus[ay]!)
    }
    if (change >= 0) continue
    for (let other = 0; other < attributes; other++) {
      const x = rows[first + other]!
      const y = rows[second + other]!
      if (other === attribute || x === y) continue
      move(surplus, width, { from: a, to: b, other: x })
      move(surplus, width, { from: b, to: a, other: y })
    }
    rows[first + attribute] = b
    rows[second + attribute] = a
    swaps++
  }
  return swaps
}

/** A record that had one code beside another now has a third in its place. */
function move(surplus: Float32Array, width: number, { from, to, other }: { from: number; to: number; other: number }) {
  surplus[from * width + other]!--
  surplus[other * width + from]!--
  surplus[to * width + other]!++
  surplus[other * width + to]!++
}
