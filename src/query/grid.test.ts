import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, equals, rational, subtract, toNumber } from '../numeric/index.ts'
import { isGrid, levelOf, scaleAt } from './grid.ts'

const fraction = fc
  .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 60 }))
  .map(([n, d]) => rational(n, d))

test('a grid falls evenly, and a scale on it is found at its level', () => {
  const grids = fc.record({ first: fraction, step: fraction, count: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(grids, fraction, (grid, other) => {
      const scales = Array.from({ length: grid.count }, (_, level) => scaleAt(grid, level))
      expect(scales[0]).toEqual(grid.first)
      for (const [i, scale] of scales.entries()) if (i > 0) expect(subtract(scales[i - 1]!, scale)).toEqual(grid.step)
      expect(isGrid(grid)).toBe(toNumber(scales.at(-1)!) > 0)
      for (const [level, scale] of scales.entries()) expect(levelOf(grid, scale)).toBe(level)
      const at = scales.findIndex((scale) => equals(scale, other))
      expect(levelOf(grid, other)).toBe(at < 0 ? undefined : at)
      expect(levelOf(grid, scaleAt(grid, grid.count))).toBe(undefined)
    }),
  )
})

test('one that stays, rises, has no levels or reaches 0 is none', () => {
  const grid = { first: rational(10), step: rational(2), count: 5 }
  expect(isGrid(grid)).toBe(true)
  expect(compare(scaleAt(grid, 4), rational(2))).toBe(0)
  for (const wrong of [{ count: 6 }, { count: 0 }, { count: 1.5 }, { step: rational(0) }, { step: rational(-1) }])
    expect(isGrid({ ...grid, ...wrong })).toBe(false)
})
