import type { CodedTable } from '../marginals/index.ts'
import type { PerturbedTable } from './perturbed-table.ts'
import { projected } from './projected.ts'

/**
 * Every value becomes a vector of bits, one per code, of which the value's own is 1; every bit is flipped with the same
 * probability (Mishra and Sandler 2006). Two values differ in two bits, so γ-amplification e^(ε/d) an attribute needs
 * ((1 - q)/q)² = e^(ε/d).
 */
export function flipping(table: CodedTable, epsilon: number, uniform: () => number): PerturbedTable {
  const { universe, rows } = table
  const sizes = universe.attributes.map(({ size }) => size)
  const flipped = 1 / (1 + Math.exp(epsilon / (2 * sizes.length)))
  const bits = sizes.map((size, a) => bitsOf(table.columns[a]!, size, flipped, uniform))
  const scale = 1 / (1 - 2 * flipped)
  return {
    joint(attributes) {
      const cells = attributes.reduce((n, a) => n * sizes[a]!, 1)
      const codes = attributes.map(() => 0)
      const shares = Float64Array.from({ length: cells }, () => {
        const share = estimate(
          attributes.map((a, i) => bits[a]![codes[i]!]!),
          rows,
          flipped,
        )
        for (let i = codes.length - 1; i >= 0 && ++codes[i]! === sizes[attributes[i]!]; i--) codes[i] = 0
        return share
      })
      return projected(shares)
    },
    count(ranges) {
      let sum = 0
      for (let r = 0; r < rows; r++) {
        let product = 1
        for (const { attribute, from, to } of ranges) {
          let ones = 0
          for (let code = from; code <= to; code++) ones += (bits[attribute]![code]![r >> 5]! >>> (r & 31)) & 1
          product *= (ones - flipped * (to - from + 1)) * scale
        }
        sum += product
      }
      return sum
    },
  }
}

/** Per code the flipped bits of all records, 32 to a word. */
function bitsOf(column: ArrayLike<number>, size: number, flipped: number, uniform: () => number): Uint32Array[] {
  return Array.from({ length: size }, (_, code) => {
    const words = new Uint32Array(Math.ceil(column.length / 32))
    for (let r = 0; r < column.length; r++)
      if ((column[r] === code) !== uniform() < flipped) words[r >> 5]! |= 1 << (r & 31)
    return words
  })
}

/** The mean over records of Π (bit - q)/(1 - 2q): by counts of records whose bits of some of the attributes are all 1. */
function estimate(columns: readonly Uint32Array[], rows: number, flipped: number): number {
  let sum = 0
  for (let subset = 0; subset < 2 ** columns.length; subset++) {
    const chosen = columns.filter((_, i) => (subset >> i) & 1)
    sum += (-flipped) ** (columns.length - chosen.length) * (chosen.length === 0 ? rows : bothOnes(chosen))
  }
  return sum / rows / (1 - 2 * flipped) ** columns.length
}

function bothOnes(columns: readonly Uint32Array[]): number {
  const [first, second, third] = columns
  let count = 0
  for (let i = 0; i < first!.length; i++) {
    let word = first![i]!
    if (second) word &= second[i]!
    if (third) word &= third[i]!
    // The number of ones in a word.
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}
