import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupSums } from '../../../model/index.ts'
import { levelsOf } from './levels.ts'

const inOrder = (size: number) => Int32Array.from({ length: size }, (_, code) => code)

test('large values stay alone, runs of small ones close at the threshold, in the given order', () => {
  const masses = Float64Array.of(1, 2, 30, 4, 5, 6, 0)
  const [level] = levelsOf(inOrder(7), masses, [9], 100)
  expect([...level!.groupOf]).toEqual([0, 0, 1, 2, 2, 3, 3])
  const [turned] = levelsOf(Int32Array.of(2, 5, 4, 3, 1, 0, 6), masses, [9], 100)
  // 30 | 6 + 5 | 4 + 2 + 1 + 0, numbered by their first codes.
  expect([...turned!.groupOf]).toEqual([0, 0, 1, 0, 2, 2, 0])
})

test('one value and two are never merged', () => {
  for (const size of [1, 2])
    expect(levelsOf(inOrder(size), new Float64Array(size), [5, 10], 100).map(({ count }) => count)).toEqual([
      size,
      size,
    ])
})

test('levels are nested, never finer than allowed, and all but the last run of small ones reach the threshold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 60 }),
      fc.integer({ min: 4, max: 20 }),
      (masses, most) => {
        const thresholds = [1, 3, 10, 40, 200]
        const counts = Float64Array.from(masses)
        const levels = levelsOf(inOrder(masses.length), counts, thresholds, most)
        for (const [l, level] of levels.entries()) {
          expect(level.count).toBeLessThanOrEqual(most)
          expect(new Set(level.groupOf).size).toBe(level.count)
          const before = levels[l - 1]
          for (let code = 1; before && code < masses.length; code++)
            if (before.groupOf[code] === before.groupOf[code - 1])
              expect(level.groupOf[code]).toBe(level.groupOf[code - 1])
          const sums = groupSums(level, counts)
          // Of two neighbours one reaches the threshold.
          for (let g = 1; g < level.count - 1; g++)
            expect(Math.max(sums[g]!, sums[g - 1]!)).toBeGreaterThanOrEqual(thresholds[l]!)
        }
      },
    ),
  )
})
