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

  /** A bit for each record that has a code, by the code's number; and how many have it. */
  #packed({ rows, columns }: Block, words: number) {
    const bits = new Int32Array(this.#totals.length * words)
    const ones = new Int32Array(this.#totals.length)
    for (const column of this.#used)
      packCodes(columns[column]!, rows, { bits, words, first: this.#starts[column]!, size: this.#sizes[column]! })
    for (const column of this.#used)
      for (let code = 0; code < this.#sizes[column]!; code++) {
        const at = this.#starts[column]! + code
        ones[at] = inBoth(bits, at * words, at * words, words)
        this.#totals[at]! += ones[at]!
      }
    return { bits, ones }
  }
}

interface CodeBits {
  readonly bits: Int32Array
  /** For each code. */
  readonly words: number
  /** The number of the column's code 0, and how many codes it has. */
  readonly first: number
  readonly size: number
}

/** Collects 32 records' codes as two binary digits, and makes the words of all codes from these. */
function packCodes(codes: Int32Array, rows: number, { bits, words, first, size }: CodeBits): void {
  for (let w = 0; w < words; w++) {
    const from = w << 5
    const many = Math.min(32, rows - from)
    let low = 0
    let high = 0
    for (let r = 0; r < many; r++) {
      const code = codes[from + r]!
      low |= (code & 1) << r
      high |= (code >> 1) << r
    }
    const all = many === 32 ? -1 : (1 << many) - 1
    const at = first * words + w
    bits[at] = all & ~(low | high)
    if (size > 1) bits[at + words] = low & ~high
    if (size > 2) bits[at + 2 * words] = high & ~low
    if (size > 3) bits[at + 3 * words] = low & high
  }
}
