import { describe, expect, test } from 'vitest'
import { SteppedMeter } from '../../../test/support/stepped-meter.ts'
import { seededBits } from '../../evaluation/index.ts'
import { laplaceVariance, rational } from '../../numeric/index.ts'
import { answerSize, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { expectedDeviation } from './deviation.ts'
import { measureMarginals } from './measure.ts'
import type { MarginalsRequest, MethodName } from './methods/index.ts'
import { planScales } from './plan.ts'

const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 19, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
  attribute({ kind: 'integer', name: 'code', low: 0, high: 199, closed: true }),
])
const records = 1_000_000
/** From even to steep; all far above the noise, so that what noisy counts show is what is there. */
const counts: { readonly [name: string]: readonly number[] } = {
  age: Array.from({ length: 20 }, (_, i) => 95_000 - 4_700 * i),
  member: [900_000, 100_000],
  code: Array.from({ length: 200 }, () => 5000),
}
const countsOf = (query: LinearQuery) => counts[query.by[0]!.attribute]!
const request: MarginalsRequest = {
  marginals: [['age'], ['member'], ['code']],
  method: 'laplace',
  budget: { epsilon: rational(1, 5) },
  floor: { kind: 'count', count: 100 },
  records: { kind: 'known', count: records },
  startShare: rational(1, 5000),
  stepShare: rational(1, 2_000_000),
}
const unitNoise = () => rational(2)
const guess = { records, counts: ([name]: readonly string[]) => counts[name!]! }

describe.each<MethodName>(['laplace', 'two-phase', 'ireduct', 'iresamp'])('%s comes out as planned', (method) => {
  const plan = planScales({ ...request, method }, guess, { universe: people, unitNoise })

  test('in its scales and prices', async () => {
    const meter = new SteppedMeter(countsOf, unitNoise, seededBits(1))
    const { marginals } = await measureMarginals({ ...request, method }, { meter, universe: people, unitNoise })
    marginals.forEach((measured, j) => {
      const planned = plan.marginals[j]!
      expect(planned).toMatchObject({ attributes: measured.attributes, query: measured.query })
      expect(planned.cells).toBe(answerSize(measured.query, people))
      // The first of two phases has noise of scale 430, iReduct steps of 0.5 at scales near 20: either moves scales by
      // 2%.
      expect(Math.abs(measured.scale / planned.scale - 1)).toBeLessThan(0.05)
      expect(Math.abs(measured.price / planned.price - 1)).toBeLessThan(0.05)
    })
    const planned = plan.marginals.reduce((sum, { price }) => sum + price, 0)
    expect(planned).toBeLessThanOrEqual(0.2 + 1e-12)
  })

  test('in its error, on average', async () => {
    const runs = 30
    const errors = [0, 0, 0]
    for (let seed = 0; seed < runs; seed++) {
      const meter = new SteppedMeter(countsOf, unitNoise, seededBits(seed))
      const coarse = { ...request, method, stepShare: rational(1, 500_000) }
      const { marginals } = await measureMarginals(coarse, { meter, universe: people, unitNoise })
      marginals.forEach(({ values, query }, j) => {
        const exact = countsOf(query)
        values.forEach((value, i) => {
          errors[j]! += Math.abs(value - exact[i]!) / exact[i]! / exact.length / runs
        })
      })
    }
    // A marginal's error is a mean of 30·cells terms, each with a standard deviation below its mean; 4.89 of them is
    // one false alarm in 10^6, and 2% for the grid. Steep counts weigh unequally: their largest term counts for the
    // sum's spread.
    plan.marginals.forEach(({ error, query }, j) => {
      const weights = countsOf(query).map((count) => 1 / count)
      const [sum, squares] = weights.reduce(([s, q], w) => [s! + w, q! + w * w], [0, 0]) as [number, number]
      const spread = Math.sqrt(squares / runs) / sum
      expect(Math.abs(errors[j]! / error - 1)).toBeLessThan(4.89 * spread + 0.02)
    })
    expect(plan.error).toBeCloseTo(plan.marginals.reduce((s, { error }) => s + error, 0) / 3, 12)
  })
})

test('nothing known: all cells are equal, and the share of the number of records is taken off', () => {
  const bought: MarginalsRequest = { ...request, records: { kind: 'bought', share: rational(1, 10) } }
  const plan = planScales(bought, { records: 1000 }, { universe: people, unitNoise })
  expect(plan.records).toBe(1000)
  // A tenth of ε, at 2 for a scale of 1.
  expect(plan.forRecords).toEqual({ price: 0.02, scale: 100 })
  // 0.18 for three marginals at 2/λ: λ = 6/0.18. A count of 50 or 5 counts as 100, one of 500 as itself.
  const scale = 6 / 0.18
  expect(plan.marginals.map((m) => m.scale / scale)).toEqual([1, 1, 1].map((one) => expect.closeTo(one, 9)))
  const error = 1 / Math.sinh(1 / scale)
  expect(plan.marginals.map((m) => m.error)).toEqual(
    [error / 100, error / 500, error / 100].map((e) => expect.closeTo(e, 9)),
  )
  expect(plan.errorOfZeros).toBeCloseTo((0.5 + 1 + 0.05) / 3, 12)
})

test('a plan refuses what the release would refuse', () => {
  const plan = (change: Partial<MarginalsRequest>) => () =>
    planScales({ ...request, ...change }, guess, { universe: people, unitNoise })
  expect(plan({ marginals: [['agee']] })).toThrow('did you mean age')
  expect(plan({ method: 'ireduct', budget: { epsilon: rational(1, 1000) } })).toThrow(
    'cost ε = 0.03, and there is 0.001',
  )
  expect(plan({ method: 'iresamp', budget: { epsilon: rational(1, 1000) } })).toThrow(
    'cost ε = 0.03, and there is 0.001',
  )
  expect(plan({ method: 'laplace', budget: { epsilon: rational(1, 1000) } })).not.toThrow()
})

test('what a refusal says to give is enough, with the share for the number of records', () => {
  // 0.03 for the marginals, and they have 19/20 of what is given: 0.03158.
  for (const method of ['ireduct', 'iresamp'] as const) {
    const plan = (epsilon: number) => () =>
      planScales(
        {
          ...request,
          method,
          budget: { epsilon: rational(epsilon, 10_000) },
          records: { kind: 'bought', share: rational(1, 20) },
        },
        { records },
        { universe: people, unitNoise },
      )
    expect(plan(315)).toThrow(
      expect.objectContaining({ detail: undefined, hint: expect.stringContaining('Spend at least 0.0316,') }),
    )
    expect(plan(316)).not.toThrow()
  }
})

test('where nothing needs the number of records, a plan does without: at worst no cell is above the floor', () => {
  const plan = (change: Partial<MarginalsRequest>, records?: number) =>
    planScales(
      { ...request, records: { kind: 'unneeded' }, ...change },
      { ...(records && { records }) },
      { universe: people, unitNoise },
    )
  const worst = plan({})
  expect(worst).not.toHaveProperty('records')
  expect(worst.marginals.map(({ error }) => error)).toEqual(
    Array(3).fill(expect.closeTo(expectedDeviation([30]) / 100, 9)),
  )
  expect(plan({}, 1_000_000).error).toBeLessThan(worst.error / 10)
  expect(() => plan({ method: 'ireduct' }, 1000)).toThrow('number of records')
  expect(() => plan({ floor: { kind: 'share', share: 0.01 } }, 1000)).toThrow('number of records')
})

test('no marginal is planned with more noise than all start with', () => {
  const steep = { records, counts: ([name]: readonly string[]) => (name === 'member' ? [5e11, 5e11] : counts[name!]!) }
  const plan = planScales({ ...request, method: 'ireduct' }, steep, { universe: people, unitNoise })
  expect(plan.marginals[1]!.scale).toBeCloseTo(200, 6)
  expect(plan.marginals.reduce((sum, { price }) => sum + price, 0)).toBeCloseTo(0.2, 9)
})

test('the deviation of a combination is that of the law, summed up', () => {
  // E|aX + bY| over the integers, weights as inference has them; continuous and discrete laws differ by 1/b²
  // relatively.
  for (const [b, c] of [
    [30, 10],
    [20, 20],
    [40, 39],
  ] as const) {
    const [v, w] = [laplaceVariance(b), laplaceVariance(c)]
    const share = w / (v + w)
    let sum = 0
    const pmf = (k: number, scale: number) => Math.tanh(0.5 / scale) * Math.exp(-Math.abs(k) / scale)
    for (let i = -20 * b; i <= 20 * b; i++)
      for (let k = -20 * c; k <= 20 * c; k++) sum += pmf(i, b) * pmf(k, c) * Math.abs(share * i + (1 - share) * k)
    expect(expectedDeviation([b, c]) / sum).toBeCloseTo(1, 2)
  }
  expect(expectedDeviation([5])).toBeCloseTo(1 / Math.sinh(0.2), 12)
  // One that is far worse than the others adds nothing.
  expect(expectedDeviation([1e9, 30, 10]) / expectedDeviation([30, 10])).toBeCloseTo(1, 6)
})

test('an estimate below 0 is taken for 0', () => {
  const estimates = { records, counts: () => [-5000, 900_000] }
  const plan = planScales({ ...request, marginals: [['member']] }, estimates, { universe: people, unitNoise })
  expect(plan.errorOfZeros).toBe(0.5)
})

test('marginals over nothing but what is listed are planned', () => {
  const plan = planScales({ ...request, marginals: [['member', 'age']] }, { records }, { universe: people, unitNoise })
  expect(plan.marginals).toMatchObject([{ query: marginal(['member', 'age']), cells: 40 }])
})
