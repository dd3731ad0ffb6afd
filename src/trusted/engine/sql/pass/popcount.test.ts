import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBoth } from './popcount.ts'

test('counts the bits that two runs of words have in common', () => {
  const run = fc.array(fc.tuple(fc.integer(), fc.integer()), { maxLength: 40 })
  fc.assert(
    fc.property(run, fc.nat(3), (words, before) => {
      const bits = Int32Array.from([...Array(before).fill(-1), ...words.map(([a]) => a), ...words.map(([, b]) => b)])
      const ones = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length
      const right = words.reduce((sum, [a, b]) => sum + ones(a & b), 0)
      expect(inBoth(bits, before, before + words.length, words.length)).toBe(right)
    }),
  )
  const full = new Int32Array(256).fill(-1)
  expect(inBoth(full, 0, 0, 256)).toBe(8192)
})
