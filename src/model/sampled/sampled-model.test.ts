import { expect, test } from 'vitest'
import { one } from '../../numeric/index.ts'
import { type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { recordWeights } from './record-weights.ts'
import { SampledModel } from './sampled-model.ts'

const sizes = [5, 3, 4]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 0, high: size - 1, closed: true })),
)
/** Codes that go together in no simple way. */
const sample = sizes.map((size, a) => Int32Array.from({ length: 40 }, (_, r) => (r * r * (a + 2) + r) % size))

const interval = (from: number, to: number) => ({ kind: 'interval', from, to }) as const
const queries: { readonly [name: string]: LinearQuery } = {
  'a range of two attributes': {
    by: [],
    terms: [{ coefficient: 1, factors: { a: interval(1, 3), c: interval(0, 2) } }],
    step: one,
  },
  'sums and differences': {
    by: [],
    terms: [
      { coefficient: 2, factors: { b: interval(0, 1) } },
      { coefficient: -1, factors: { c: interval(2, 3) } },
    ],
    step: one,
  },
  'groups of some codes': {
    by: [{ attribute: 'a', groups: [interval(3, 4), interval(0, 1)] }],
    terms: [{ coefficient: 1, factors: { b: interval(1, 2) } }],
    step: one,
  },
  // Its 60 cells are more than the 40 records.
  'a table larger than the sample': marginal(['a', 'b', 'c']),
}

test.each(Object.entries(queries))('%s: what the records add up to', (_, query) => {
  const model = new SampledModel(u, 1000, sample)
  const { places, weights } = recordWeights(query, u, sample)
  const answers = model.answers(query)
  const sums = new Float64Array(answers.length)
  for (const [r, place] of places.entries()) if (place >= 0) sums[place]! += weights[r]!
  expect(sums.some((sum) => sum !== 0)).toBe(true)
  for (const [i, sum] of sums.entries()) expect(answers[i]).toBeCloseTo(25 * sum, 9)
  // The second time the table is there already.
  expect(model.answers(query)).toEqual(answers)
})
