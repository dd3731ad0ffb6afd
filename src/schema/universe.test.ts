import { expect, test } from 'vitest'
import { attribute } from './attribute.ts'
import { attributeNamed, universe } from './universe.ts'

const ranges = (...sizes: number[]) =>
  universe(sizes.map((n, i) => attribute({ kind: 'integer', name: `a${i}`, closed: true, low: 1, high: n })))

test('counts cells exactly, also beyond 2^53', () => {
  expect(ranges(101, 2, 4, 26, 29, 5, 5, 512, 4).size).toBe(101n * 2n * 4n * 26n * 29n * 5n * 5n * 512n * 4n)
  const huge = ranges(...Array<number>(40).fill(1_000_003))
  expect(huge.size).toBe(1_000_003n ** 40n)
  // Forty additions, each rounded by at most 2^-44 below 1024, and as much again in the logarithms and the product.
  expect(Math.abs(huge.logSize - 40 * Math.log(1_000_003))).toBeLessThan(40 * 2 ** -43)
  expect(universe([]).size).toBe(1n)
})

test('finds attributes by name, and names the one it does not know', () => {
  const u = ranges(3, 4)
  expect(attributeNamed(u, 'a1')).toBe(u.attributes[1])
  expect(u.index.get('a1')).toBe(1)
  for (const name of ['a2', 'A1', 'constructor']) {
    expect(() => attributeNamed(u, name)).toThrow(`there is no attribute "${name}"`)
  }
})
