import type { Block } from './block.ts'

/** Columns of at most so many codes are counted by bits. */
export const mostCodes = 4

/**
 * Counts pairs of columns that have few codes each: a bit for every record and every code, and for a pair of codes the
 * bits that both have. What is left for code 0 follows from the counts of each column by itself, and codes that no record
 * has cost nothing.
 */
export class BitPairs {
  readonly #first: Int32Array
  readonly #second: Int32Array
  /** Where a pair's counts begin, in counts that are shared by all. */
  readonly #from: Int32Array
  readonly #counts: Float64Array
  readonly #sizes: readonly number[]
  /** Columns that are in a pair; the code c of a column is number starts[column] + c of all their codes. */
  readonly #used: readonly number[]
  readonly #starts: Int32Array
  /** Records by these numbers. */
  readonly #totals: Float64Array

  /** `sizes` are those of all columns of a block. */
  constructor(
    pairs: readonly { readonly columns: readonly number[]; readonly from: number }[],
    sizes: readonly number[],
    counts: Float64Array,
  ) {
    this.#first = Int32Array.from(pairs, ({ columns }) => columns[0]!)
    this.#second = Int32Array.from(pairs, ({ columns }) => columns[1]!)
    this.#from = Int32Array.from(pairs, ({ from }) => from)
    this.#counts = counts
    this.#sizes = sizes
    this.#used = [...new Set([...this.#first, ...this.#second])]
    this.#starts = new Int32Array(sizes.length)
    let codes = 0
    for (const column of this.#used) {
      this.#starts[column] = codes
      codes += sizes[column]!
    }
    this.#totals = new Float64Array(codes)
  }

  add(block: Block): void {
    const words = (block.rows + 31) >> 5
    const { bits, ones } = this.#packed(block, words)
    const [starts, sizes, counts] = [this.#starts, this.#sizes, this.#counts]
    for (let pair = 0; pair < this.#from.length; pair++) {
      const [first, second] = [this.#first[pair]!, this.#second[pair]!]
      const [rows, columns] = [sizes[first]!, sizes[second]!]
      for (let a = 1; a < rows; a++) {
        const left = starts[first]! + a
        if (ones[left] === 0) continue
        for (let b = 1; b < columns; b++) {
          const right = starts[second]! + b
          if (ones[right] === 0) continue
          counts[this.#from[pair]! + a * columns + b]! += inBoth(bits, left * words, right * words, words)
        }
      }
    }
  }

  /** Fills in the counts of code 0, once all records are in. */
  finish(): void {
    const counts = this.#counts
    for (let pair = 0; pair < this.#from.length; pair++) {
      const [first, second, from] = [this.#first[pair]!, this.#second[pair]!, this.#from[pair]!]
      const [rows, columns] = [this.#sizes[first]!, this.#sizes[second]!]
      for (let b = 0; b < columns; b++) counts[from + b] = this.#totals[this.#starts[second]! + b]!
      for (let a = 1; a < rows; a++) {
        const row = from + a * columns
        counts[row] = this.#totals[this.#starts[first]! + a]!
        for (let b = 1; b < columns; b++) counts[row]! -= counts[row + b]!
        for (let b = 0; b < columns; b++) counts[from + b]! -= counts[row + b]!
      }
    }
  }

  #packed({ rows, columns }: Block, words: number) {
    const bits = new Int32Array(this.#totals.length * words)
    const ones = new Int32Array(this.#totals.length)
    for (const column of this.#used) {
      const [codes, start] = [columns[column]!, this.#starts[column]!]
      for (let r = 0; r < rows; r++) {
        const at = start + codes[r]!
        ones[at]!++
        bits[at * words + (r >> 5)]! |= 1 << (r & 31)
      }
    }
    for (let i = 0; i < ones.length; i++) this.#totals[i]! += ones[i]!
    return { bits, ones }
  }
}

/** How many bits are set in both of two runs of words. */
function inBoth(bits: Int32Array, a: number, b: number, words: number): number {
  let count = 0
  for (let w = 0; w < words; w++) {
    let x = bits[a + w]! & bits[b + w]!
    x -= (x >>> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
    x = (x + (x >>> 4)) & 0x0f0f0f0f
    count += Math.imul(x, 0x01010101) >>> 24
  }
  return count
}
