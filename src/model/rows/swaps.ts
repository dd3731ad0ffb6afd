import { below } from './quick-random.ts'

/** Tables over all pairs of attributes, in one square of all codes: those of attribute a begin at offsets[a]. */
export interface PairSquare {
  readonly offsets: readonly number[]
  readonly width: number
  /** By code of an earlier attribute and code of a later one: how many more records there are than there should be. */
  readonly surplus: Float32Array
  /** What a squared surplus counts. */
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
  // Places in the square: of a pair that loses a record (the first two) or gains one, per other attribute.
  const places = new Int32Array(4 * attributes)
  let swaps = 0
  for (let proposal = 0; proposal < proposals; proposal++) {
    const first = attributes * below(count, words)
    const second = attributes * below(count, words)
    const attribute = below(attributes, words)
    const [a, b] = [rows[first + attribute]!, rows[second + attribute]!]
    if (a === b) continue
    let [change, used] = [0, 0]
    for (let other = 0; other < attributes; other++) {
      const [x, y] = [rows[first + other]!, rows[second + other]!]
      if (other === attribute || x === y) continue
      const earlier = other < attribute
      const ax = earlier ? x * width + a : a * width + x
      const by = earlier ? y * width + b : b * width + y
      const bx = earlier ? x * width + b : b * width + x
      const ay = earlier ? y * width + a : a * width + y
      change += weights[ax]! * (1 - 2 * surplus[ax]!) + weights[by]! * (1 - 2 * surplus[by]!)
      change += weights[bx]! * (1 + 2 * surplus[bx]!) + weights[ay]! * (1 + 2 * surplus[ay]!)
      places[used] = ax
      places[used + 1] = by
      places[used + 2] = bx
      places[used + 3] = ay
      used += 4
    }
    if (change >= 0) continue
    for (let i = 0; i < used; i += 4) {
      surplus[places[i]!]!--
      surplus[places[i + 1]!]!--
      surplus[places[i + 2]!]!++
      surplus[places[i + 3]!]!++
    }
    rows[first + attribute] = b
    rows[second + attribute] = a
    swaps++
  }
  return swaps
}
