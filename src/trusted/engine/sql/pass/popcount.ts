/**
 * How many bits are set in both of two runs of words. Seven words at a time are first added up bit by bit (carry-save),
 * into words of ones, twos and fours, whose bits are then counted.
 */
export function inBoth(bits: Int32Array, a: number, b: number, words: number): number {
  let count = 0
  let w = 0
  for (; w + 7 <= words; w += 7) {
    const p = a + w
    const q = b + w
    const x0 = bits[p]! & bits[q]!
    const x1 = bits[p + 1]! & bits[q + 1]!
    const x2 = bits[p + 2]! & bits[q + 2]!
    const x3 = bits[p + 3]! & bits[q + 3]!
    const x4 = bits[p + 4]! & bits[q + 4]!
    const x5 = bits[p + 5]! & bits[q + 5]!
    const x6 = bits[p + 6]! & bits[q + 6]!
    const u = x0 ^ x1
    const v = x3 ^ x4
    const s = u ^ x2
    const t = v ^ x5
    const c = (x0 & x1) | (u & x2)
    const d = (x3 & x4) | (v & x5)
    const y = s ^ t
    const e = (s & t) | (y & x6)
    const z = c ^ d
    const twos = byteCounts(z ^ e) << 1
    const fours = byteCounts((c & d) | (z & e)) << 2
    count += Math.imul(byteCounts(y ^ x6) + twos + fours, 0x01010101) >>> 24
  }
  for (; w < words; w++) count += Math.imul(byteCounts(bits[a + w]! & bits[b + w]!), 0x01010101) >>> 24
  return count
}

/** The bits of each byte, counted, in that byte. */
function byteCounts(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return (fours + (fours >>> 4)) & 0x0f0f0f0f
}
