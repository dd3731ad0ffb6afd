import { expect, test } from 'vitest'
import { seededBits } from './seeded.ts'

const words = (seed: number, count = 1000) => Array.from({ length: count }, seededBits(seed).uint32)

test('the same seed gives the same words, neighbouring seeds give unrelated ones', () => {
  expect(words(7)).toEqual(words(7))
  const [a, b] = [words(7), words(8)]
  expect(a.filter((word, i) => word === b[i]).length).toBe(0)
  expect(words(1)).not.toEqual(words(1 + 2 ** 32))
})

// A bit is set in n/2 ± √n/2 of n words; 5.5 sd over 32 bits: one false alarm in about 10^6 seeds, and the seed is fixed.
test('words are integers of 32 bits, each set half of the time', () => {
  const n = 100_000
  const drawn = words(3, n)
  expect(drawn.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true)
  for (let bit = 0; bit < 32; bit++) {
    const set = drawn.reduce((sum, word) => sum + ((word >>> bit) & 1), 0)
    expect(Math.abs(set - n / 2)).toBeLessThan(5.5 * (Math.sqrt(n) / 2))
  }
})

// The mean of n uniforms has sd 1/√(12n); 4.89 sd: one false alarm in 10^6.
test('uniform() is spread over [0, 1)', () => {
  const bits = seededBits(11)
  const n = 100_000
  const drawn = Array.from({ length: n }, bits.uniform)
  expect(drawn.every((u) => u >= 0 && u < 1)).toBe(true)
  expect(Math.abs(drawn.reduce((a, b) => a + b) / n - 0.5)).toBeLessThan(4.89 / Math.sqrt(12 * n))
})
