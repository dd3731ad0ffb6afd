import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, compare, multiply, type Rational, rational } from '../../../numeric/index.ts'
import { dateFields, dateUnits, isDate, widthBucket } from './functions.ts'

/** The obvious twin: tries the edges one after the other. */
function slow(value: Rational, low: Rational, high: Rational, count: number): number {
  const width = rational((high.num * low.den - low.num * high.den) * 1n, high.den * low.den * BigInt(count))
  const up = compare(low, high) < 0
  let bucket = 0
  for (let i = 0; i <= count; i++) {
    const edge = add(low, multiply(width, rational(i)))
    if (up ? compare(value, edge) >= 0 : compare(value, edge) <= 0) bucket = i + 1
  }
  return bucket
}

test('width_bucket counts the edges at or below, or at or above where the bounds descend', () => {
  const number = fc
    .tuple(fc.integer({ min: -40, max: 40 }), fc.constantFrom(1, 2, 3, 10))
    .map(([n, d]) => rational(n, d))
  fc.assert(
    fc.property(number, number, number, fc.integer({ min: 1, max: 9 }), (value, low, high, count) => {
      fc.pre(compare(low, high) !== 0)
      expect(widthBucket(value, low, high, BigInt(count))).toEqual(rational(slow(value, low, high, count)))
    }),
    { numRuns: 1000 },
  )
})

// From PostgreSQL's documentation of width_bucket: width_bucket(5.35, 0.024, 10.06, 5) is 3.
test('the example of the manual', () =>
  expect(widthBucket(rational(535, 100), rational(24, 1000), rational(1006, 100), 5n)).toEqual(rational(3)))

test.each([
  ['2020-02-29', true],
  ['2021-02-29', false],
  ['2020-13-01', false],
  ['2020-1-1', false],
  ['0001-01-01', true],
  ['today', false],
])('%s is a date: %s', (text, yes) => expect(isDate(text)).toBe(yes))

test('parts and beginnings of a date', () => {
  const of = (table: { readonly [name: string]: (iso: string) => unknown }) =>
    Object.fromEntries(Object.entries(table).map(([name, f]) => [name, f('2021-08-15')]))
  expect(of(dateFields)).toEqual({ year: 2021, quarter: 3, month: 8, day: 15 })
  expect(of(dateUnits)).toEqual({ year: '2021-01-01', quarter: '2021-07-01', month: '2021-08-01', day: '2021-08-15' })
})
