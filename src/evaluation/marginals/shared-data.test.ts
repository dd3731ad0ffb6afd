import { describe, expect, test } from 'vitest'
import { attribute } from '../../schema/index.ts'
import { countMarginals } from './count.ts'
import { encode, sharedTable } from './shared-data.ts'

const colour = attribute({
  kind: 'values',
  name: 'colour',
  values: ['red', 'red, dark', 'so-called "red"'],
  other: false,
  closed: true,
})
const size = attribute({ kind: 'integer', name: 'size', low: 3, high: 5, closed: true })

test('CSV with and without quotes', () => {
  const csv = 'colour,size\r\nred,4\r\n"red, dark",3\n"so-called ""red""",5\n'
  const { rows, columns } = encode(csv, [colour, size])
  expect(rows).toBe(3)
  expect(columns.map((column) => [...column])).toEqual([
    [0, 1, 2],
    [1, 0, 2],
  ])
})

test('a value or a column that the domain does not know is an error', () => {
  expect(() => encode('colour,size\ngreen,4\n', [colour, size])).toThrow('row 1: colour cannot be "green"')
  expect(() => encode('size,colour\n4,red\n', [colour, size])).toThrow('the columns are size, colour')
})

// The data are public but not part of the project.
const census = sharedTable('census_income')
describe.skipIf(!census)('the data sets beside the project', () => {
  test('census_income: 299,285 rows of nine attributes', () => {
    const table = census!
    expect(table.rows).toBe(299_285)
    expect(table.universe.attributes.map((a) => a.size)).toEqual([91, 2, 7, 51, 43, 5, 17, 47, 9])
    const [sex] = countMarginals(table, [['sex']]).counts
    expect(sex!.reduce((sum, count) => sum + count, 0)).toBe(299_285)
  })
  test('acs2016: 22,241 rows of nine attributes', () => {
    const table = sharedTable('acs2016')!
    expect(table.rows).toBe(22_241)
    expect(table.universe.attributes.map((a) => a.size)).toEqual([31, 2, 5, 51, 209, 9, 9, 466, 7])
  })
})
