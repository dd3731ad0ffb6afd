import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { seal } from '../../exact/seal.ts'
import { select } from './index.ts'

test('a candidate far ahead is always the one', () => {
  const scores = Float64Array.from({ length: 50 }, (_, i) => (i === 17 ? 10_000 : i))
  for (let seed = 0; seed < 20; seed++) expect(select(seal(scores), rational(1), seededBits(seed))).toBe(17)
  const huge = [0n, 10n ** 40n, -(10n ** 40n)]
  expect(select(seal(huge), rational(1, 10 ** 9), seededBits(1))).toBe(1)
  const wide = Float64Array.of(-(2 ** 53 - 1), 2 ** 53 - 1)
  expect(select(seal(wide), rational(1), seededBits(2))).toBe(1)
})

// n/8 trials in vain, of about four words each, and then a few that tell. Trying all until one is kept would take 4 n.
test('one candidate ahead of very many costs few draws, and so do many at any distance', () => {
  const n = 20_000
  for (const ahead of [0, 1, 8, 20, 30, 1000]) {
    const scores = new Float64Array(n)
    scores[n - 1] = ahead
    let words = 0
    const runs = 10
    for (let seed = 0; seed < runs; seed++) {
      const bits = seededBits(seed)
      const counted = {
        uint32() {
          words++
          return bits.uint32()
        },
      }
      select(seal(scores), rational(2), counted)
    }
    expect(words / runs).toBeLessThan(n)
  }
})

test('no candidate and no epsilon are refused', () => {
  expect(() => select(seal(new Float64Array()), rational(1))).toThrow(RangeError)
  for (const bad of [rational(0), rational(-1)]) expect(() => select(seal(Float64Array.of(1)), bad)).toThrow(RangeError)
  expect(select(seal(Float64Array.of(-7)), rational(1))).toBe(0)
})
