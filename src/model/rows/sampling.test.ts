import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { DenseModel } from '../dense/dense-model.ts'
import { FactoredModel } from '../factored/index.ts'
import { MixtureModel } from '../mixture/index.ts'
import { ProductModel } from '../product.ts'
import type { Rows, TableModel } from '../table-model.ts'
import { Ladder } from './ladder.ts'

const u = universe(
  [2, 3, 4].map((size, i) => attribute({ kind: 'integer', name: `x${i}`, low: 1, high: size, closed: true })),
)
const { uniform } = seededBits(3)
const numbers = (count: number) => Float64Array.from({ length: count }, () => 0.1 + uniform())

function factored(tableCells: number): FactoredModel {
  const model = new FactoredModel(u, 1000, { tableCells })
  const answer = (names: string[], values: number[]) => ({ query: marginal(names), values, variance: 1 })
  model.fit([
    answer(['x0', 'x1'], [300, 100, 50, 150, 150, 250]),
    answer(
      ['x1', 'x2'],
      [...numbers(12)].map((v) => 100 * v),
    ),
  ])
  return model
}
const shares = (count: number, groups: number) => {
  const table = numbers(count * groups)
  for (let k = 0; k < groups; k++) {
    let sum = 0
    for (let i = 0; i < count; i++) sum += table[i * groups + k]!
    for (let i = 0; i < count; i++) table[i * groups + k]! /= sum
  }
  return Float32Array.from(table)
}
const models: { [name: string]: TableModel } = {
  product: new ProductModel(u, 1000, [numbers(2), [0.5, 0, 1], numbers(4)]),
  dense: new DenseModel(u, 1000, {}, numbers(24)),
  'factored, in one table': factored(64),
  'factored, in a tree': factored(1),
  mixture: new MixtureModel(u, 1000, {
    weights: Float64Array.of(0.2, 0.5, 0.3),
    attributes: [
      { atoms: { groupOf: Int32Array.of(0, 1), count: 2 }, shares: Float64Array.of(1, 1), probabilities: shares(2, 3) },
      {
        atoms: { groupOf: Int32Array.of(0, 1, 2), count: 3 },
        shares: Float64Array.of(1, 1, 1),
        probabilities: shares(3, 3),
      },
      {
        atoms: { groupOf: Int32Array.of(0, 1, 1, 0), count: 2 },
        shares: Float64Array.of(0.4, 0.7, 0.3, 0.6),
        probabilities: shares(2, 3),
      },
    ],
  }),
}

const tally = (rows: Rows) => {
  const found = new Float64Array(24)
  for (let i = 0; i < rows[0]!.length; i++) found[(rows[0]![i]! * 3 + rows[1]![i]!) * 4 + rows[2]![i]!]!++
  return found
}

test.each(Object.entries(models))(
  '%s: records that are drawn one by one follow the model, and vary as such do',
  (_, model) => {
    const count = 20_000
    const expected = model.marginal([0, 1, 2]).map((value) => (value / model.records) * count)
    const chi2 = (rows: Rows) =>
      tally(rows).reduce(
        (sum, found, i) => sum + (expected[i]! > 0 ? (found - expected[i]!) ** 2 / expected[i]! : found),
        0,
      )
    const drawn = chi2(model.rows(count, seededBits(7).uniform, 'independent'))
    // At most 23 degrees of freedom, at least 15: outside once in 10^5 seeds; the seed is fixed.
    expect(drawn).toBeLessThan(67)
    expect(drawn).toBeGreaterThan(2)
  },
)

test('a ladder is hit as its steps are high, and steps of no height never are', () => {
  const ladder = new Ladder([0, 1, 0, 3, 0])
  expect([0, 0.1, 0.2499, 0.25, 0.9, 0.99999].map((point) => ladder.at(point))).toEqual([1, 1, 1, 3, 3, 3])
})
