// Bits that a test chooses, to lead a sampler where chance would hardly ever take it.
import type { Bits } from '../../src/trusted/random/index.ts'

/** These words, then zeros. */
export const scripted = (words: readonly number[]): Bits => {
  let next = 0
  return { uint32: () => words[next++] ?? 0 }
}

/** A uniform number of 180 bits as inversion reads it: 32, then 20 leading bits of the next word, then 32 each. */
export const asWords = (value: bigint): number[] => [
  Number(value >> 148n),
  Number((value >> 128n) & 0xfffffn) * 2 ** 12,
  ...[96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffffffffn)),
]
