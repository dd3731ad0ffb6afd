import { type BitRuns, withRuns } from '../../../../numeric/index.ts'
import type { Block, CodeColumn } from './block.ts'

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
  readonly #isUsed: Uint8Array
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
    this.#isUsed = new Uint8Array(sizes.length)
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
    this.#isUsed[first] = 1
    this.#isUsed[second] = 1
  }

  add(block: Block): void {
    withRuns(this.#totals.length, (block.rows + 31) >> 5, (bits) => this.#addPairs(bits, this.#pack(bits, block)))
  }

  #addPairs({ inBoth }: BitRuns, ones: Int32Array): void {
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
          counts[this.#from[pair]! + a * columns + b]! += inBoth(left, right)
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

  /** A bit for each record that has a code, by the code's number; returns how many have it. */
  #pack({ words, length, inBoth }: BitRuns, { rows, columns }: Block): Int32Array {
    const ones = new Int32Array(this.#totals.length)
    for (let column = 0; column < this.#isUsed.length; column++) {
      if (!this.#isUsed[column]) continue
      const first = this.#starts[column]!
      const size = this.#sizes[column]!
      packCodes(columns[column]!, rows, { bits: words.subarray(first * length), length, size })
      for (let at = first; at < first + size; at++) {
        ones[at] = inBoth(at, at)
        this.#totals[at]! += ones[at]!
      }
    }
    return ones
  }
}

interface CodeBits {
  /** From those of the column's code 0 on. */
  readonly bits: Int32Array
  /** For each code. */
  readonly length: number
  /** How many codes the column has. */
  readonly size: number
}

/** Collects 32 records' codes as two binary digits, and makes the words of all codes from these. */
function packCodes(codes: CodeColumn, rows: number, { bits, length, size }: CodeBits): void {
  // Columns of so few codes are bytes and begin where a word may; the first of four is in the lowest bits, as on all machines that DuckDB is made for.
  const four = new Int32Array(codes.buffer, codes.byteOffset, codes.length >> 2)
  for (let w = 0; w << 5 < rows; w++) {
    let low = 0
    let high = 0
    for (let i = 0; i < 8; i++) {
      const codesOfFour = four[(w << 3) + i]!
      low |= lowestBits(codesOfFour) << (4 * i)
      high |= lowestBits(codesOfFour >>> 1) << (4 * i)
    }
    const many = Math.min(32, rows - (w << 5))
    const all = many === 32 ? -1 : (1 << many) - 1
    bits[w] = all & ~(low | high)
    if (size > 1) bits[w + length] = all & low & ~high
    if (size > 2) bits[w + 2 * length] = all & high & ~low
    if (size > 3) bits[w + 3 * length] = all & low & high
  }
}

/** The lowest bits of four bytes, side by side: the product moves each to its place, and none of its other terms is there. */
const lowestBits = (word: number): number => (Math.imul(word & 0x01010101, 0x01020408) >>> 24) & 15
