import { randomFillSync } from 'node:crypto'

/** A source of independent, uniform random words. Samplers take one as an argument; it is never global. */
export interface Bits {
  /** 32 random bits as an integer 0 … 2^32-1. */
  uint32(): number
}

/** Words per request to the operating system: one call costs about as much as a thousand words. */
const poolSize = 4096

/** A closure over its pool rather than variables of the module: these are noticeably slower to reach. */
function pooledBits(): Bits {
  const pool = new Uint32Array(poolSize)
  let next = poolSize
  return {
    uint32() {
      if (next === poolSize) {
        randomFillSync(pool)
        next = 0
      }
      const word = pool[next]!
      // A word once used leaves the pool, so that a memory dump does not tell past noise.
      pool[next++] = 0
      return word
    },
  }
}

/** The operating system's generator, the only one that private answers use. */
export const systemBits: Bits = Object.freeze(pooledBits())

/** Fresh secret bytes, for keys. */
export const secretBytes = (length: number): Uint8Array => randomFillSync(new Uint8Array(length))
