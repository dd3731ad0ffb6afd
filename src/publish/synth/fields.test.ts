import { expect, test } from 'vitest'
import { type Rational, rational } from '../../numeric/index.ts'
import { attribute, type DateUnit } from '../../schema/index.ts'
import { fieldsOf } from './fields.ts'

const date = (by: DateUnit) =>
  attribute({
    kind: 'date',
    name: 'born',
    from: '1999-11-20',
    to: '2000-02-10',
    by,
    format: 'DD.MM.YYYY',
    closed: false,
  })
/** The first and the last day that a code may stand for. */
const ends = (by: DateUnit, code: number, dates: 'iso' | 'as-in-source' = 'iso') =>
  [0, 1 - 2 ** -32].map((at) => fieldsOf(date(by), { random: () => at, dates })(code))

test('a month or a year is any of its days, within the bounds of the attribute', () => {
  expect(ends('month', 0)).toEqual(['1999-11-20', '1999-11-30'])
  expect(ends('month', 1)).toEqual(['1999-12-01', '1999-12-31'])
  expect(ends('month', 3)).toEqual(['2000-02-01', '2000-02-10'])
  expect(ends('year', 0)).toEqual(['1999-11-20', '1999-12-31'])
  expect(ends('year', 1)).toEqual(['2000-01-01', '2000-02-10'])
  expect(ends('day', 1)).toEqual(['1999-11-21', '1999-11-21'])
})

test('dates are written as in the source, and what is missing is empty', () => {
  expect(ends('month', 1, 'as-in-source')).toEqual(['01.12.1999', '31.12.1999'])
  expect(ends('month', 4)).toEqual(['', ''])
})

test('a bin is any of its values, with its middle as their mean, or the value that is stated', () => {
  const edges = [0, 1, 5].map((edge) => rational(edge))
  const bins = { kind: 'bins', name: 'x', low: edges[0]!, high: edges[2]!, width: null, edges, closed: false } as const
  const values = (stated: readonly Rational[], at: number) =>
    [0, 1, 2].map(fieldsOf(attribute({ ...bins, stated }), { random: () => at, dates: 'iso' }))
  expect(values([], 0)).toEqual(['0.0005', '1.002', ''])
  expect(values([], 1 - 2 ** -32)).toEqual(['0.9995', '4.998', ''])
  expect(values([rational(1, 4), rational(3)], 0)).toEqual(['0.25', '3', ''])
})

test('labels are quoted where they must be', () => {
  const values = ['plain', 'a,b', 'say "x"', '']
  const fields = fieldsOf(attribute({ kind: 'values', name: 'x', values, other: true, closed: false }), {
    random: () => 0,
    dates: 'iso',
  })
  expect([0, 1, 2, 3, 4, 5].map(fields)).toEqual(['plain', '"a,b"', '"say ""x"""', '""', 'other', ''])
})
