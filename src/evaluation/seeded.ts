import type { Bits } from '../trusted/random/index.ts'

/** A reproducible source: for experiments, demo data and tests alone. What it blurs is not private. */
export interface SeededBits extends Bits {
  /** A double in [0, 1) with 53 random bits. */
  uniform(): number
}

/**
 * Chris Doty-Humphrey's sfc32 (PractRand): 128 bits of state, a counter inside, so that every seed has a period of at
 * least 2^32.
 */
export function seededBits(seed: number): SeededBits {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, 0x9e3779b9, 1]
  const uint32 = (): number => {
    const word = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + word) >>> 0
    return word
  }
  // Neighbouring seeds differ in a bit or two; mix until nothing of that shows.
  for (let i = 0; i < 20; i++) uint32()
  return { uint32, uniform: () => ((uint32() >>> 11) * 2 ** 32 + uint32()) / 2 ** 53 }
}
