import { expect, test } from 'vitest'
import type { Bits } from './bits.ts'
import { uniformBelow, uniformBelowBig } from './uniform.ts'

/** Gives these words in turn, and fails when more are wanted. */
const scripted = (...words: number[]): Bits => ({
  uint32() {
    if (words.length === 0) throw new Error('no words left')
    return words.shift()!
  },
})

test('words before the whole rounds are thrown away, the next one counts', () => {
  for (const n of [1, 2, 3, 5, 7, 1000, 3 * 2 ** 30, 2 ** 32 - 1]) {
    const skipped = 2 ** 32 % n
    if (skipped > 0) expect(() => uniformBelow(n, scripted(skipped - 1))).toThrow('no words left')
    expect(uniformBelow(n, scripted(skipped))).toBe(skipped % n)
    expect(uniformBelow(n, scripted(2 ** 32 - 1))).toBe((2 ** 32 - 1) % n)
  }
})

test('above 2^32 two words make 53 bits', () => {
  const n = 3 * 2 ** 51
  const skipped = 2 ** 53 % n // 2^51, whose first word is 2^30
  expect(() => uniformBelow(n, scripted(2 ** 30 - 1, 2 ** 32 - 1))).toThrow('no words left')
  expect(uniformBelow(n, scripted(2 ** 30, 5))).toBe(skipped + 5)
  expect(uniformBelow(n, scripted(2 ** 32 - 1, 2 ** 32 - 1))).toBe(skipped - 1)
  expect(uniformBelow(2 ** 53, scripted(2 ** 32 - 1, 2 ** 32 - 1))).toBe(2 ** 53 - 1)
})

test('BigInts take as many bits as they need and try again above n', () => {
  expect(uniformBelowBig(3n, scripted(3 * 2 ** 30, 2 ** 31))).toBe(2n)
  expect(uniformBelowBig(1n, scripted(0))).toBe(0n)
  expect(uniformBelowBig(2n ** 40n, scripted(2 ** 32 - 1, 2 ** 32 - 1))).toBe(2n ** 40n - 1n)
  expect(uniformBelowBig(2n ** 64n, scripted(1, 7))).toBe(2n ** 32n + 7n)
})
