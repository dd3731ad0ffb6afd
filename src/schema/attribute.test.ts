import { describe, expect, test } from 'vitest'
import { parseRational, rational } from '../numeric/index.ts'
import {
  type Attribute,
  type AttributeDescription,
  attribute,
  dateOrdinal,
  nullCode,
  otherCode,
  valueCount,
} from './attribute.ts'
import { valueGrid } from './cells.ts'
import { label } from './label.ts'

const name = 'a'
const labels = (a: Attribute) => Array.from({ length: a.size }, (_, code) => label(a, code))
const number = (text: string) => parseRational(text)!
const decimal = (low: string, high: string, step: string): AttributeDescription => ({
  kind: 'decimal',
  name,
  closed: true,
  low: number(low),
  high: number(high),
  step: number(step),
})
const date = (from: string, to: string, by: 'day' | 'month' | 'year'): AttributeDescription => ({
  kind: 'date',
  name,
  closed: true,
  from,
  to,
  by,
  format: 'YYYY-MM-DD',
})

describe('labels of all codes, in order', () => {
  test.each<[string, AttributeDescription, (string | null)[]]>([
    ['integers', { kind: 'integer', name, closed: true, low: -1, high: 2 }, ['-1', '0', '1', '2']],
    ['open integers', { kind: 'integer', name, closed: false, low: 5, high: 5 }, ['5', null]],
    ['booleans', { kind: 'boolean', name, closed: false }, ['false', 'true', null]],
    ['closed values', { kind: 'values', name, closed: true, values: ['x', ''], other: false }, ['x', '']],
    ['values, other, NULL', { kind: 'values', name, closed: false, values: ['x'], other: true }, ['x', 'other', null]],
    ['closed values with other', { kind: 'values', name, closed: true, values: ['x'], other: true }, ['x', 'other']],
    ['decimals below 0', decimal('-0.5', '0.5', '0.25'), ['-0.5', '-0.25', '0', '0.25', '0.5']],
    ['coarse decimals', decimal('-2000', '1000', '1000'), ['-2000', '-1000', '0', '1000']],
    ['fine decimals', decimal('9.99', '10.01', '0.01'), ['9.99', '10', '10.01']],
    ['small decimals', decimal('-1e-7', '1e-7', '1e-7'), ['-0.0000001', '0', '0.0000001']],
    ['thirds', decimal('0', '1', '1/3'), ['0', '1/3', '2/3', '1']],
    ['days over a leap day', date('2024-02-28', '2024-03-01', 'day'), ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['days before 1970', date('1969-12-31', '1970-01-01', 'day'), ['1969-12-31', '1970-01-01']],
    ['months', date('1999-11-30', '2000-02-01', 'month'), ['1999-11-01', '1999-12-01', '2000-01-01', '2000-02-01']],
    ['years', date('0998-12-31', '1000-01-01', 'year'), ['0998-01-01', '0999-01-01', '1000-01-01']],
  ])('%s', (_, description, expected) => {
    const a = attribute(description)
    expect(labels(a)).toEqual(expected)
    expect(a.size).toBe(expected.length)
    expect(nullCode(a)).toBe(expected.indexOf(null))
    expect(otherCode(a)).toBe(expected.indexOf('other'))
    expect(valueCount(a)).toBe(expected.filter((l) => l !== null && l !== 'other').length)
  })
})

test('a date falls in its own code', () => {
  const born = attribute(date('1900-01-01', '2026-12-31', 'month'))
  const code = dateOrdinal('1987-06-05', 'month') - dateOrdinal('1900-01-01', 'month')
  expect(label(born, code)).toBe('1987-06-01')
  expect(born.size).toBe(127 * 12)
  expect(attribute(date('1900-01-01', '2026-12-31', 'day')).size).toBe(46386)
  expect(attribute(date('1900-01-01', '2026-12-31', 'year')).size).toBe(127)
})

test('numbers have a grid, the rest has none', () => {
  expect(valueGrid(attribute({ kind: 'integer', name, closed: false, low: 3, high: 9 }))).toEqual({
    low: rational(3),
    step: rational(1),
  })
  expect(valueGrid(attribute(decimal('-0.5', '0.5', '0.25')))).toEqual({ low: rational(-1, 2), step: rational(1, 4) })
  expect(valueGrid(attribute({ kind: 'boolean', name, closed: true }))).toBeUndefined()
  expect(valueGrid(attribute(date('2000-01-01', '2000-01-02', 'day')))).toBeUndefined()
})
