import { describe, expect, test } from 'vitest'
import { one } from '../numeric/index.ts'
import { groupOf, type LinearQuery, marginal, weightAt } from '../query/index.ts'
import { attribute, universe } from '../schema/index.ts'
import { ProductModel } from './product.ts'

const small = universe([
  attribute({ kind: 'integer', name: 'age', low: 1, high: 4, closed: true }),
  attribute({ kind: 'values', name: 'sex', values: ['F', 'M'], other: false, closed: false }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
])
const tables = [
  [1, 2, 3, 4],
  [5, 3, 2],
  [9, 1],
]
const model = new ProductModel(small, 200, tables)

/** Every cell of the universe with its expected count. */
const cells = tables[0]!.flatMap((a, i) =>
  tables[1]!.flatMap((b, j) => tables[2]!.map((c, k) => ({ cell: [i, j, k], count: (200 * a * b * c) / 1000 }))),
)

describe('answers are those of a table of all cells:', () => {
  const queries: { readonly [name: string]: LinearQuery } = {
    'a marginal': marginal(['sex', 'age']),
    'a filtered sum': {
      by: [],
      step: one,
      terms: [
        {
          coefficient: 3,
          factors: {
            age: { kind: 'value', slope: 2, shift: -1, power: 2, from: 1, to: 3 },
            sex: { kind: 'set', codes: [0, 2] },
          },
        },
        { coefficient: -1, factors: { member: { kind: 'interval', from: 1, to: 1 } } },
      ],
    },
    'groups that leave codes out, of an attribute with a factor': {
      by: [
        {
          attribute: 'age',
          groups: [
            { kind: 'interval', from: 2, to: 3 },
            { kind: 'set', codes: [0] },
          ],
        },
        { attribute: 'member' },
      ],
      step: one,
      terms: [{ coefficient: 1, factors: { age: { kind: 'table', values: [1, 5, 7, 2] } } }],
    },
  }
  test.each(Object.entries(queries))('%s', (_, query) => {
    const sizes = query.by.map((g) => g.groups?.length ?? small.attributes[small.index.get(g.attribute)!]!.size)
    const expected = new Float64Array(sizes.reduce((a, b) => a * b, 1))
    for (const { cell, count } of cells) {
      const groups = query.by.map((g) => groupOf(g, cell[small.index.get(g.attribute)!]!))
      if (groups.some((group) => group < 0)) continue
      const place = groups.reduce((at, group, i) => at * sizes[i]! + group, 0)
      expected[place]! += count * weightAt(query, small, cell)
    }
    const answers = model.answers(query)
    expect(answers).toHaveLength(expected.length)
    for (const [i, value] of expected.entries()) expect(answers[i]).toBeCloseTo(value, 9)
  })
  test('a marginal by places', () => {
    expect(model.marginal([1, 0])).toEqual(model.answers(marginal(['sex', 'age'])))
    expect(model.marginal([])).toEqual(Float64Array.of(200))
  })
})

test('rows have the shares of every attribute, up to one record, and pairs that are independent', () => {
  let state = 1
  const random = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const rows = model.rows(10_001, random)
  for (const [a, table] of tables.entries())
    for (const [code, weight] of table.entries()) {
      const count = rows[a]!.filter((each) => each === code).length
      expect(Math.abs(count - (10_001 * weight) / table.reduce((x, y) => x + y, 0))).toBeLessThanOrEqual(1)
    }
  // Of 10,001 rows 3,600 are expected where age is 4 and member false; 5 sd of a hypergeometric law (√(n·.4·.6·.9·.1)).
  const both = rows[0]!.filter((age, i) => age === 3 && rows[2]![i] === 0).length
  expect(Math.abs(both - 10_001 * 0.36)).toBeLessThan(5 * Math.sqrt(10_001 * 0.4 * 0.6 * 0.9 * 0.1))
  expect(Math.abs(both - 10_001 * 0.4)).toBeGreaterThan(5 * Math.sqrt(10_001 * 0.4 * 0.6 * 0.9 * 0.1))
})
