import { expect, test } from 'vitest'
import { integers } from '../../../test/support/estimates.ts'
import { one, rational } from '../../numeric/index.ts'
import { answerSize, type LinearQuery, type Measurement } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { mostTelling } from './most-telling.ts'

const u = universe([integers('a', 10), integers('b', 10)])
const count = (to: number, by: string[] = []): LinearQuery => ({
  by: by.map((attribute) => ({ attribute })),
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to } } }],
  step: one,
})
const answer = (id: string, query: LinearQuery, scale: number): Measurement => ({
  id,
  query,
  law: { kind: 'laplace', scale: rational(scale) },
  values: new Float64Array(answerSize(query, u)),
})
const ids = (measurements: readonly Measurement[], most: number) =>
  mostTelling({ universe: u, measurements, records: 7 }, most).measurements.map(({ id }) => id)

test('of a long history the answers with the most spread over their noise are kept, in their order', () => {
  const measurements = [
    answer('noisy', count(8), 100),
    answer('table', count(8, ['b']), 10),
    answer('narrow', count(0), 10),
    answer('wide', count(8), 10),
  ]
  expect(ids(measurements, 13)).toEqual(['noisy', 'table', 'narrow', 'wide'])
  expect(ids(measurements, 1)).toEqual(['wide'])
  expect(ids(measurements, 2)).toEqual(['narrow', 'wide'])
  // A table comes as a whole, even if it is more numbers than were asked for.
  expect(ids(measurements, 3)).toEqual(['table', 'narrow', 'wide'])
  expect(mostTelling({ universe: u, measurements, records: 7 }, 1).records).toBe(7)
})
