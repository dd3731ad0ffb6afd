import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withRuns } from './common-bits.ts'

const ones = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length

test('counts the bits that two runs have in common', () => {
  const pairs = fc.array(fc.tuple(fc.integer(), fc.integer()), { maxLength: 40 })
  fc.assert(
    fc.property(pairs, fc.nat(3), (words, before) => {
      const right = words.reduce((sum, [a, b]) => sum + ones(a & b), 0)
      const found = withRuns(before + 2, words.length, (bits) => {
        expect(bits.words.every((word) => word === 0)).toBe(true)
        bits.words.fill(-1, 0, before * bits.length)
        for (const [i, [a, b]] of words.entries()) {
          bits.words[before * bits.length + i] = a
          bits.words[(before + 1) * bits.length + i] = b
        }
        return [bits.inBoth(before, before + 1), bits.inBoth(before + 1, before)]
      })
      expect(found).toEqual([right, right])
    }),
  )
})

test('of full runs, in a memory that has to grow', () => {
  const full = withRuns(600, 256, ({ words, inBoth }) => {
    words.fill(-1)
    return inBoth(0, 599)
  })
  expect(full).toBe(8192)
  // And nothing is left of them.
  expect(withRuns(600, 256, ({ inBoth }) => inBoth(0, 599))).toBe(0)
})
