import { expect, test } from 'vitest'
import { attribute, universe } from '../../schema/index.ts'
import { defaultMethod } from './default-method.ts'

const over = (...sizes: number[]) =>
  universe(sizes.map((size, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: size, closed: true })))

test('all cells are counted where that tells pairs better than measuring them one by one', () => {
  // 64 cells in 15 pairs: a pair adds up 16 cells, and measured by itself has 225 times the variance, or 15 times under ρ.
  expect(defaultMethod(over(2, 2, 2, 2, 2, 2), 'epsilon')).toBe('mwem')
  expect(defaultMethod(over(2, 2, 2, 2, 2, 2), 'rho')).toBe('pairs')
  expect(defaultMethod(over(2, 2, 2, 2, 2), 'rho')).toBe('mwem')
  expect(defaultMethod(over(9, 16, 7, 6, 5, 2, 2), 'epsilon')).toBe('pairs')
  // One attribute, or two, are one table; too many cells are pairs at some coarseness.
  expect(defaultMethod(over(100), 'rho')).toBe('mwem')
  expect(defaultMethod(over(100, 1, 50), 'rho')).toBe('mwem')
  expect(defaultMethod(over(1000, 1000), 'rho')).toBe('pairs')
  expect(defaultMethod(over(1, 1), 'rho')).toBe('pairs')
})
