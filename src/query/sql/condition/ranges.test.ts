import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesIn, complement, count, covers, fromCodes, intersect, unite } from './ranges.ts'

const size = 24
const codes = fc.uniqueArray(fc.nat(size - 1)).map((list) => list.sort((a, b) => a - b))
const all = Array.from({ length: size }, (_, code) => code)

test('ranges are sets of codes, in one form each', () => {
  fc.assert(
    fc.property(codes, codes, (a, b) => {
      const [x, y] = [fromCodes(a), fromCodes(b)]
      expect([...codesIn(x)]).toEqual(a)
      expect(count(x)).toBe(a.length)
      expect(complement(x, size)).toEqual(fromCodes(all.filter((c) => !a.includes(c))))
      expect(intersect(x, y)).toEqual(fromCodes(all.filter((c) => a.includes(c) && b.includes(c))))
      expect(unite(x, y)).toEqual(fromCodes(all.filter((c) => a.includes(c) || b.includes(c))))
      expect(covers(x, y)).toBe(b.every((c) => a.includes(c)))
      expect(covers(unite(x, y), y)).toBe(true)
    }),
  )
})
