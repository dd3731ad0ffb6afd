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

// Trials are geometric with mean at most n; each takes about a dozen words. 25 n of them mean that the work is linear.
test('one candidate ahead of very many costs linear work', () => {
  const n = 20_000
  const scores = new Float64Array(n)
  scores[n - 1] = 1000
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
    select(seal(scores), rational(1), counted)
  }
  expect(words / runs).toBeLessThan(25 * n)
})

test('no candidate and no epsilon are refused', () => {
  expect(() => select(seal(new Float64Array()), rational(1))).toThrow(RangeError)
  for (const bad of [rational(0), rational(-1)]) expect(() => select(seal(Float64Array.of(1)), bad)).toThrow(RangeError)
  expect(select(seal(Float64Array.of(-7)), rational(1))).toBe(0)
})
