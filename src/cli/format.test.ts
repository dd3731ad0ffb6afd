import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitted, interval, number, shortened, table, wrapped } from './format.ts'

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

test('lines are broken at spaces and keep every word; words are never broken', () => {
  expect(wrapped('one two three', 7)).toBe('one two\nthree')
  expect(wrapped('a\nlonger-than-that b', 5)).toBe('a\nlonger-than-that b')
  expect(wrapped('unlimited '.repeat(30), Infinity)).toBe('unlimited '.repeat(30))
  const word = fc.stringMatching(/^[a-zε…]{1,9}$/u)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 9, max: 30 }), (words, width) => {
      const lines = wrapped(words.join(' '), width).split('\n')
      expect(lines.join(' ').split(' ')).toEqual(words)
      for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width)
    }),
  )
})

test('a text on one line is cut with dots, and one column gives way to the others', () => {
  expect(shortened('SELECT *\n  FROM t', 40)).toBe('SELECT * FROM t')
  expect(shortened('SELECT *\n  FROM t', 10)).toBe('SELECT *…')
  const rows = [['1', 'x'.repeat(50), 'last']]
  expect([...table(['', 'what', ''], fitted(['', 'what', ''], rows, 1, 40))].map((line) => line.length)).toEqual([
    7, 40, 40,
  ])
})
