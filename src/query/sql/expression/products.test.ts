import fc from 'fast-check'
import { expect, test } from 'vitest'
import { productsOf } from './products.ts'

/** What the products add up to, at every cell. */
function total(products: readonly (readonly Float64Array[])[], sizes: readonly number[]): number[] {
  const cells = sizes.reduce((n, size) => n * size, 1)
  return Array.from({ length: cells }, (_, cell) => {
    const codes: number[] = []
    for (let axis = sizes.length - 1, rest = cell; axis >= 0; axis--) {
      codes[axis] = rest % sizes[axis]!
      rest = Math.floor(rest / sizes[axis]!)
    }
    return products.reduce((sum, tables) => sum + tables.reduce((n, table, axis) => n * table[codes[axis]!]!, 1), 0)
  })
}

const sizes = [4, 3, 5]
const table = (of: (i: number, j: number, k: number) => number) =>
  Float64Array.from({ length: 60 }, (_, cell) => of(Math.floor(cell / 15), Math.floor(cell / 5) % 3, cell % 5) + 0)

test('any table is the sum of its products', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 60, maxLength: 60 }), (entries) => {
      const all = Float64Array.from(entries)
      expect(total(productsOf(all, sizes, 512)!, sizes)).toEqual([...all])
    }),
  )
})

test.each([
  ['x · y · z', (i: number, j: number, k: number) => (i - 1) * (j + 2) * (k - 3), 1],
  ['x + y + z', (i: number, j: number, k: number) => i + 2 * j - 3 * k, 3],
  ['a condition on one', (_: number, j: number) => Number(j > 1), 1],
  ['min(x, z)', (i: number, _: number, k: number) => Math.min(i, k), 3],
] as const)('%s takes few', (_, of, count) => {
  const products = productsOf(table(of), sizes, 512)!
  expect(total(products, sizes)).toEqual([...table(of)])
  expect(products.length).toBe(count)
})

test('more than allowed are refused', () => {
  const diagonal = Float64Array.from({ length: 100 }, (_, cell) => (cell % 11 === 0 ? 1 : 0))
  expect(productsOf(diagonal, [10, 10], 9)).toBeUndefined()
  expect(productsOf(diagonal, [10, 10], 10)).toHaveLength(10)
})
