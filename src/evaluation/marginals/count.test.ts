import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attribute, universe } from '../../schema/index.ts'
import { countMarginals } from './count.ts'
import { encode } from './shared-data.ts'
import { generatedTable } from './table.ts'

test('iReduct, Tables 2 and 3: the marginal over status and gender', () => {
  const attributes = [
    attribute({ kind: 'integer', name: 'Age', low: 0, high: 120, closed: true }),
    attribute({
      kind: 'values',
      name: 'Status',
      values: ['Single', 'Married', 'Divorced', 'Widowed'],
      other: false,
      closed: true,
    }),
    attribute({ kind: 'values', name: 'Gender', values: ['M', 'F'], other: false, closed: true }),
  ]
  const csv = 'Age,Status,Gender\n23,Single,M\n25,Single,F\n35,Married,F\n37,Married,F\n85,Widowed,F\n'
  const table = { name: 'T', universe: universe(attributes), ...encode(csv, attributes) }
  const { counts, records } = countMarginals(table, [['Status', 'Gender'], ['Gender'], []])
  expect(records).toBe(5)
  expect(counts.map((marginal) => [...marginal])).toEqual([[1, 1, 0, 2, 0, 0, 0, 1], [1, 4], [5]])
})

test('a loop over records that looks each up by name counts the same', () => {
  // More rows than a block.
  const table = generatedTable(20_000, 5)
  const { attributes } = table.universe
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(8), { maxLength: 3 }), (axes) => {
      const [counts] = countMarginals(table, [axes.map((axis) => attributes[axis]!.name)]).counts
      const slow = new Map<string, number>()
      for (let row = 0; row < table.rows; row++) {
        const key = axes.map((axis) => table.columns[axis]![row]).join()
        slow.set(key, (slow.get(key) ?? 0) + 1)
      }
      const strides = axes.map((_, i) => axes.slice(i + 1).reduce((n, axis) => n * attributes[axis]!.size, 1))
      const indexOf = (key: string) =>
        key === '' ? 0 : key.split(',').reduce((at, code, i) => at + Number(code) * strides[i]!, 0)
      for (const [key, count] of slow) expect(counts![indexOf(key)]).toBe(count)
      expect(counts!.reduce((sum, count) => sum + count, 0)).toBe(table.rows)
    }),
    { numRuns: 20 },
  )
})
