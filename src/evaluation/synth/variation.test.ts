import fc from 'fast-check'
import { expect, test } from 'vitest'
import { some, someRows, tableOf } from '../../../test/support/coded-people.ts'
import { countMarginals } from '../marginals/index.ts'
import { totalVariation, variationOfRows } from './variation.ts'

test('total variation is the largest difference in the share of any event', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(shares, shares, (x, y) => {
      const [n, m] = [x, y].map((list) => list.reduce((a, b) => a + b)) as [number, number]
      fc.pre(n > 0 && m > 0)
      const events = Array.from({ length: 16 }, (_, event) =>
        x.reduce((sum, count, i) => sum + ((event >> i) & 1 ? count / n - y[i]! / m : 0), 0),
      )
      expect(totalVariation(Float64Array.from(x), Float64Array.from(y))).toBeCloseTo(Math.max(...events), 12)
    }),
  )
})

test('the mean over marginals, of rows that are the same and of rows of which a quarter moved', () => {
  const exact = countMarginals(some, [['age', 'state'], ['rich']])
  expect(variationOfRows(exact, some)).toBe(0)
  const moved = tableOf(someRows.map((row, i) => (i % 4 === 0 ? [row[0]!, row[1]!, 1 - row[2]!] : row)))
  const changed = someRows.filter((_, i) => i % 4 === 0).reduce((sum, [, , rich]) => sum + (rich === 1 ? -1 : 1), 0)
  expect(variationOfRows(exact, moved)).toBeCloseTo(Math.abs(changed) / 400 / 2, 12)
})
