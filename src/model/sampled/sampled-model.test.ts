import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one } from '../../numeric/index.ts'
import { type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { readModel } from '../read-model.ts'
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

/** Some count three times as much as others, and one not at all. */
const shares = Float64Array.from({ length: 40 }, (_, r) => (r === 7 ? 0 : 1 + (r % 3)))
const total = shares.reduce((a, b) => a + b, 0)

test.each(Object.entries(queries))('%s: records count by their shares', (_, query) => {
  const answers = new SampledModel(u, 1000, sample, shares).answers(query)
  const { places, weights } = recordWeights(query, u, sample)
  const sums = new Float64Array(answers.length)
  for (const [r, place] of places.entries()) if (place >= 0) sums[place]! += (weights[r]! * shares[r]! * 1000) / total
  for (const [i, sum] of sums.entries()) expect(answers[i]).toBeCloseTo(sum, 9)
})

test('rows have each record as often as its share says, rounded up or down', () => {
  // One attribute that numbers the records.
  const numbers = universe([attribute({ kind: 'integer', name: 'r', low: 0, high: 39, closed: true })])
  const model = new SampledModel(numbers, 1000, [Int32Array.from({ length: 40 }, (_, r) => r)], shares)
  const { uniform } = seededBits(1)
  for (const count of [10, 100, 1000]) {
    const times = new Float64Array(40)
    for (const r of model.rows(count, uniform)[0]!) times[r]!++
    for (const [r, share] of shares.entries()) expect(Math.abs(times[r]! - (count * share) / total)).toBeLessThan(1)
  }
  const drawn = new Float64Array(40)
  for (const r of model.rows(40_000, uniform, 'independent')[0]!) drawn[r]!++
  expect(drawn[7]).toBe(0)
  // Counts of about 500 to 1,500 have deviations of 22 to 39; one in 10⁵ is beyond 4.4 of them.
  for (const [r, share] of shares.entries()) {
    const expected = (40_000 * share) / total
    expect(Math.abs(drawn[r]! - expected)).toBeLessThanOrEqual(4.4 * Math.sqrt(expected))
  }
})

test('shares are kept in a file, and a file without them or with damaged ones is told apart', () => {
  const model = new SampledModel(u, 1000, sample, shares)
  const json = JSON.parse(JSON.stringify(model.toJson()))
  const query = queries['a range of two attributes']!
  expect(readModel(json, u).answers(query)[0]).toBeCloseTo(model.answers(query)[0]!, 1)
  const { weights, ...before } = json
  expect(readModel(before, u).answers(query)).toEqual(new SampledModel(u, 1000, sample).answers(query))
  for (const damaged of [weights.slice(1), weights.map(() => 0), weights.map(() => -1), 'none'])
    expect(() => readModel({ ...before, weights: damaged }, u)).toThrow('damaged')
})
