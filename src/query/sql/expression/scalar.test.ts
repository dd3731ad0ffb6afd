import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareText } from './scalar.ts'

test('texts are ordered by code points', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'ﬀ', '\ue000', '😀', '🙂'), maxLength: 4 })
  const points = (t: string) => [...t].map((c) => c.codePointAt(0)!.toString(16).padStart(6, '0'))
  const slow = (a: string, b: string) => {
    const [x, y] = [points(a).join(''), points(b).join('')]
    return x < y ? -1 : x > y ? 1 : 0
  }
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(slow(a, b))
    }),
  )
})
