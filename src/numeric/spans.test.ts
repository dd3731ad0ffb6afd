import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansAt, spansOf, spansSize } from './spans.ts'

test('spans are the numbers they were made of, and as few as can be', () => {
  const numbers = fc.uniqueArray(fc.nat(40), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(numbers, (all) => {
      const spans = spansOf(all, all.length)!
      expect(spansSize(spans)).toBe(all.length)
      expect(all.map((_, i) => spansAt(spans, i))).toEqual(all)
      for (const [i, [first]] of spans.entries()) if (i > 0) expect(first).toBeGreaterThan(spans[i - 1]![1] + 1)
      expect(() => spansAt(spans, all.length)).toThrow(RangeError)
    }),
  )
})

test('what is not ascending and whole has no spans', () => {
  for (const all of [[1, 0], [1, 1], [-1], [0.5], [Number.NaN], [2 ** 53]])
    expect(spansOf(all, all.length)).toBeUndefined()
})
