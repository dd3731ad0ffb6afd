import { expect, test } from 'vitest'
import { CellByCellModel } from '../../test/support/cell-by-cell-model.ts'
import { one } from '../numeric/index.ts'
import { type LinearQuery, MarginalList, marginal } from '../query/index.ts'
import { attribute, universe } from '../schema/index.ts'
import { answerSheet } from './answer-sheet.ts'

const integer = (name: string, high: number) => attribute({ kind: 'integer', name, low: 0, high, closed: true })
const small = universe([integer('a', 1), integer('b', 2), integer('c', 3)])
const parity: LinearQuery = {
  by: [],
  step: one,
  terms: [{ coefficient: 1, factors: { a: { kind: 'table', values: [1, -1] } } }],
}

test('answers lie one after the other, and each query knows what it looks at', () => {
  const sheet = answerSheet([marginal(['c', 'a']), parity, marginal(['b'])], small)
  expect([...sheet.starts]).toEqual([0, 8, 9, 12])
  expect([0, 1, 2].map((place) => sheet.attributesOf(place))).toEqual([[0, 2], [0], [1]])
  const model = new CellByCellModel(small, 24)
  model.fill(sheet, [1, 2])
  expect([...sheet.values]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8])
  model.fit([{ query: parity, values: [24], variance: 1 }])
  model.fill(sheet, [1])
  // exp(1/2) of the weight against exp(-1/2).
  expect(sheet.values[8]).toBeCloseTo(24 * Math.tanh(0.5), 12)
})

test('a list of marginals has the sheet of its queries', () => {
  const list = new MarginalList(['c', 'a', 'b'], 2, [0, 1, 1, 0, 2, 1, 1, 2])
  const { attributesOf, ...rest } = answerSheet(list, small)
  const { attributesOf: apart, ...plain } = answerSheet([...list], small)
  expect({ ...rest, queries: [...list] }).toEqual(plain)
  expect([0, 1, 2, 3].map((place) => attributesOf(place))).toEqual([0, 1, 2, 3].map((place) => apart(place)))
  expect([...rest.isMarginal]).toEqual([0, 1, 0, 1])
})
