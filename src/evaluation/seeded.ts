import { seededWords, uniformOf } from '../numeric/index.ts'
import type { Bits } from '../trusted/random/index.ts'

/** A reproducible source: for experiments, demo data and tests alone. What it blurs is not private. */
export interface SeededBits extends Bits {
  /** A double in [0, 1) with 53 random bits. */
  uniform(): number
}

export function seededBits(seed: number): SeededBits {
  const uint32 = seededWords(seed, Math.floor(seed / 2 ** 32))
  return { uint32, uniform: () => uniformOf(uint32) }
}
