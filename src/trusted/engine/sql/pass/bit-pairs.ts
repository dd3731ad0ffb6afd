import type { Block } from './block.ts'
import { inBoth } from './popcount.ts'

/** Columns of at most so many codes are counted by bits. */
export const mostCodes = 4

/**
 * Counts pairs of columns that have few codes each: a bit for every record and every code, and for a pair of codes the
 * bits that both have. What is left for code 0 follows from the counts of each column by itself, and codes that no record
 * has cost nothing.
 */
export class BitPairs {
  /** The pairs' columns, and where their counts begin. */
  readonly #first: Int32Array
  readonly #second: Int32Array
  readonly #from: Int32Array
  #pairs = 0
  readonly #counts: Float64Array
  readonly #sizes: readonly number[]
  /** Columns that are in a pair; the code c of a column is number starts[column] + c of all codes that may be. */
  readonly #used = new Set<number>()
  readonly #starts: Int32Array
  /** Records by these numbers. */
  readonly #totals: Float64Array

  /** For at most so many pairs. `sizes` are those of all columns of a block; counts are written into the array. */
  constructor(sizes: readonly number[], counts: Float64Array, most: number) {
    this.#first = new Int32Array(most)
    this.#second = new Int32Array(most)
    this.#from = new Int32Array(most)
    this.#counts = counts
    this.#sizes = sizes
    this.#starts = new Int32Array(sizes.length)
    let codes = 0
    for (const [column, size] of sizes.entries()) {
      this.#starts[column] = codes
      if (size <= mostCodes) codes += size
    }
    this.#totals = new Float64Array(codes)
  }

  /** Counts a pair of columns from now on, of at most mostCodes codes each. */
  count(first: number, second: number, from: number): void {
    this.#first[this.#pairs] = first
    this.#second[this.#pairs] = second
    this.#from[this.#pairs++] = from
    this.#used.add(first).add(second)
  }

  add(block: Block): void {
    const words = (block.rows + 31) >> 5
    const { bits, ones } = this.#packed(block, words)
    const [starts, sizes, counts] = [this.#starts, this.#sizes, this.#counts]
    for (let pair = 0; pair < this.#pairs; pair++) {
      const first = this.#first[pair]!
      const second = this.#second[pair]!
      const rows = sizes[first]!
      const columns = sizes[second]!
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
    for (let pair = 0; pair < this.#pairs; pair++) {
      const first = this.#first[pair]!
      const second = this.#second[pair]!
      const from = this.#from[pair]!
      const rows = this.#sizes[first]!
      const columns = this.#sizes[second]!
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
