import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interval, number, table } from './format.ts'

test('numbers are written as the locale en-US writes them', () => {
  const locale = (value: number) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 2 : 6 })
  for (const value of [0, -0, 1, -1, 999, 1000, -12345.678, 0.1, 0.000001, 0.0000001, 123456789, 1e15]) {
    expect(number(value)).toBe(locale(value).replace(/^-0$/, '0'))
  }
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (n) => {
      expect(number(n)).toBe(locale(n))
    }),
  )
})

test('what has no end is shown as such', () => {
  expect(number(null)).toBe('∞')
  expect(interval([null, 3])).toBe('-∞ … 3')
})

test('columns line up', () => {
  const rows = [
    ['x', '1'],
    ['long', '22'],
  ]
  expect([...table(['a', 'b'], rows, [false, true])]).toEqual(['a      b', '────  ──', 'x      1', 'long  22'])
})

test('a cell with a line end or an escape stays one cell', () => {
  expect([...table(['a', 'b'], [['\x1b[1m\n', '1']])].at(-1)).toBe('\\x1b[1m\\n  1')
})
