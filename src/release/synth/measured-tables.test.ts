import { expect, test } from 'vitest'
import { ProductModel } from '../../model/index.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, type Measurement, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { measuredBesideModel, summedOver } from './measured-tables.ts'

const small = universe(
  [2, 3, 2].map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 1, high: size, closed: true })),
)
const model = new ProductModel(small, 120, [
  [1, 1],
  [1, 2, 3],
  [1, 3],
])
const variance = rational(16)
const answer = (names: string[], values: readonly number[], id = names.join()): Measurement => ({
  id,
  query: names.length > 0 ? marginal(names) : countAll,
  law: { kind: 'gaussian', variance },
  values: Float64Array.from(values),
})

test('a query that was measured twice is there once, with half the variance', () => {
  const measured = [answer(['a'], [60, 64], '1'), answer(['a'], [62, 60], '2')]
  const [table, ...others] = measuredBesideModel({ measured, known: [], model })
  expect(others).toEqual([])
  expect([...table!.measured]).toEqual([61, 62])
  expect([...table!.model]).toEqual([60, 60])
  // The discrete law's variance is 16 to many digits.
  expect(table!.deviation).toBeCloseTo(Math.sqrt(8), 6)
  expect(table!.misfit).toBeCloseTo(Math.sqrt((1 + 4) / 2 / 8), 6)
})

test('what is exact is not compared', () => {
  const exact: Measurement = { ...answer([], [120]), law: { kind: 'none' } }
  expect(measuredBesideModel({ measured: [], known: [exact], model })).toEqual([])
})

test('a table of three attributes is summed up to any two, in whichever order', () => {
  const values = Array.from({ length: 12 }, (_, i) => i * i)
  const [table] = measuredBesideModel({ measured: [answer(['a', 'b', 'c'], values)], known: [], model })
  const pair = summedOver(table!, ['c', 'a'], small)!
  const expected = [0, 1].flatMap((c) =>
    [0, 1].map((a) => [0, 1, 2].reduce((sum, b) => sum + values[(a * 3 + b) * 2 + c]!, 0)),
  )
  expect([...pair.measured]).toEqual(expected)
  expect(pair.query.by.map(({ attribute: name }) => name)).toEqual(['c', 'a'])
  for (const [cell, count] of model.marginal([2, 0]).entries()) expect(pair.model[cell]).toBeCloseTo(count, 9)
  // Three cells are added up.
  expect(pair.deviation).toBeCloseTo(Math.sqrt(3 * 16), 6)
  expect(summedOver(table!, ['a', 'd'], small)).toBeUndefined()
})
