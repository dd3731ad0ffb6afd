import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addSizes, addSquare, along, placesOf, subtract } from './sparse-row.ts'

const cases = fc.integer({ min: 1, max: 40 }).chain((length) =>
  fc.record({
    // Small integers, so that sums are exact in any order; most of them 0.
    row: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -9, max: 9 })), {
      minLength: length,
      maxLength: length,
    }),
    x: fc.array(fc.integer({ min: -99, max: 99 }), { minLength: length, maxLength: length + 3 }),
    times: fc.integer({ min: -9, max: 9 }),
  }),
)

test('by its places or as a whole, a row gives the same', () => {
  let [few, many] = [0, 0]
  fc.assert(
    fc.property(cases, ({ row: list, x, times }) => {
      const row = Float64Array.from(list)
      const places = placesOf(row)
      if (places) few++
      else many++
      expect(along(Float64Array.from(x), row, places)).toBe(list.reduce((sum, value, b) => sum + value * x[b]!, 0))
      const [left, sizes] = [Float64Array.from(x), Float64Array.from(x)]
      subtract(left, row, places, times)
      addSizes(sizes, row, places, times)
      expect([...left]).toEqual(x.map((value, b) => value - times * (list[b] ?? 0) + 0))
      expect([...sizes]).toEqual(x.map((value, b) => value + times * Math.abs(list[b] ?? 0) + 0))
      if (!places) return
      const matrix = list.map(() => Float64Array.from(list, () => times))
      addSquare(matrix, row, places)
      const square = list.map((one, i) => list.map((other, j) => times + (j <= i ? one * other : 0) + 0))
      expect(matrix.map((line) => [...line])).toEqual(square)
    }),
  )
  expect(Math.min(few, many)).toBeGreaterThan(10)
})
