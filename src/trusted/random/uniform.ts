import type { Bits } from './bits.ts'

const twoTo32 = 2 ** 32
const twoTo53 = 2 ** 53

/**
 * A uniform integer 0 … n-1, for an integer n with 1 ≤ n ≤ 2^53. The first 2^32 mod n words (2^53 mod n numbers) are
 * thrown away, so that what remains is a whole number of rounds: no residue is likelier than another.
 */
export function uniformBelow(n: number, bits: Bits): number {
  if (n < twoTo32) {
    // Unsigned 32-bit remainders compile to one instruction; those of doubles are a call.
    const modulus = n >>> 0
    const skipped = (-modulus >>> 0) % modulus
    let word = bits.uint32() >>> 0
    while (word < skipped) word = bits.uint32() >>> 0
    return word % modulus
  }
  const skipped = twoTo53 % n
  let value = bits53(bits)
  while (value < skipped) value = bits53(bits)
  return value % n
}

/** The same for any positive integer: as many bits as n has, again until they are below n. */
export function uniformBelowBig(n: bigint, bits: Bits): bigint {
  const length = (n - 1n).toString(2).length
  const spare = BigInt((32 - (length % 32)) % 32)
  for (;;) {
    let value = 0n
    for (let drawn = 0; drawn < length; drawn += 32) value = (value << 32n) | BigInt(bits.uint32())
    value >>= spare
    if (value < n) return value
  }
}

/** A uniform integer below 2^53. */
const bits53 = (bits: Bits): number => (bits.uint32() >>> 11) * twoTo32 + bits.uint32()
