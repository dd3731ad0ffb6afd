import { expect, test } from 'vitest'
import { cellsOf } from '../../../../test/support/queries.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { checkQuery, countAll, marginalOver, queryKey, weightAt } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { queryName } from './name.ts'
import { parityOver } from './parities.ts'
import { parseWorkload } from './read.ts'

const integer = (name: string, high: number) => attribute({ kind: 'integer', name, low: 0, high, closed: true })
const mixed = universe([
  integer('age', 9),
  integer('hours', 4),
  attribute({ kind: 'values', name: 'state', values: ['A', 'B', 'C'], other: false, closed: false }),
])
const bits = universe(['a', 'b', 'c', 'd'].map((name) => integer(name, 1)))
const random = () => seededBits(7).uniform

test('k-way: every set of k attributes once', () => {
  const found = [...parseWorkload('2-way', mixed, random())]
  expect(found.map((query) => marginalOver(query))).toEqual([
    ['age', 'hours'],
    ['age', 'state'],
    ['hours', 'state'],
  ])
  expect(queryName(found[0]!, mixed)).toBe('age × hours')
  for (const ways of ['0-way', '4-way']) expect(() => parseWorkload(ways, mixed, random())).toThrow('from 1 to 3')
})

test('parities: the rows of the Hadamard matrix, by degree', () => {
  const found = [...parseWorkload('parities:3', bits, random())]
  expect(found).toHaveLength(4 + 6 + 4)
  expect(found.map((query) => parityOver(query)!.length)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
  expect(parityOver(countAll)).toBeUndefined()
  expect(queryName(found[4]!, bits)).toBe('parity of a, b')
  const cells = [...cellsOf(bits)]
  const rows = found.map((query) => cells.map((cell) => weightAt(query, bits, cell)))
  // Orthogonal, and ±1 everywhere.
  for (const [i, row] of rows.entries())
    for (const [j, other] of rows.entries())
      expect(row.reduce((sum, w, cell) => sum + w * other[cell]!, 0)).toBe(i === j ? 16 : 0)
})

test('parities of attributes that are not binary are refused by name', () => {
  expect(() => parseWorkload('parities:2', mixed, random())).toThrow('age, hours, state')
  const open = universe([integer('a', 1), attribute({ kind: 'integer', name: 'b', low: 0, high: 1, closed: false })])
  expect(() => parseWorkload('parities:1', open, random())).toThrow('two codes; b has others')
})

test('ranges: over one to three ordered attributes, never a missing value, no two alike', () => {
  const found = [...parseWorkload('ranges:200', mixed, random())]
  expect(found).toHaveLength(200)
  expect(new Set(found.map((query) => queryKey(query))).size).toBe(200)
  const attributes = new Set<string>()
  for (const query of found) {
    checkQuery(query, mixed)
    for (const [name, factor] of Object.entries(query.terms[0]!.factors)) {
      attributes.add(name)
      expect(factor.kind).toBe('interval')
    }
  }
  expect([...attributes].sort()).toEqual(['age', 'hours'])
  // The same seed, the same ranges; where there are fewer, fewer: three intervals of two codes, alone or by two or three.
  expect(parseWorkload('ranges:200', mixed, random())).toEqual(found)
  const few = universe(['a', 'b', 'c'].map((name) => integer(name, 1)))
  expect(parseWorkload('ranges:5000', few, random())).toHaveLength(9 + 27 + 27)
})

test('what is no workload, or too large a one, is refused', () => {
  for (const text of ['', '2way', 'ranges', 'ranges:-1', 'parity:3'])
    expect(() => parseWorkload(text, mixed, random())).toThrow('is no workload')
  expect(() => parseWorkload('ranges:0', mixed, random())).toThrow('above 0')
  expect(() => parseWorkload('ranges:1000001', mixed, random())).toThrow('at most 1000000')
  const many = universe(Array.from({ length: 300 }, (_, i) => integer(`x${i}`, 1)))
  expect(() => parseWorkload('3-way', many, random())).toThrow('4455100')
})
