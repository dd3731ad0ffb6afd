import { describe, expect, test } from 'vitest'
import { SteppedMeter } from '../../../test/support/stepped-meter.ts'
import { seededBits } from '../../evaluation/index.ts'
import {
  add,
  compare,
  divide,
  laplaceVariance,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../numeric/index.ts'
import { answerSize, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { measureMarginals } from './measure.ts'
import type { MarginalsRequest, Method } from './request.ts'

const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 19, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
  attribute({ kind: 'values', name: 'state', values: ['CA', 'TX', 'NY'], other: true, closed: false }),
])
const records = 20_000
/** Counts that fall off with the code, to an even end. */
const countsOf = (query: LinearQuery): number[] => {
  const cells = answerSize(query, people)
  const weights = Array.from({ length: cells }, (_, i) => 1 / (1 + i * i))
  const sum = weights.reduce((a, b) => a + b)
  return weights.map((w) => Math.round((records * w) / sum))
}
const models = { 'add-remove': 1, 'replace-one': 2 } as const
const methods: Method[] = ['laplace', 'two-phase', 'ireduct', 'iresamp']

function setting(model: keyof typeof models, seed = 1) {
  const unitScale = (query: LinearQuery) => rational(query.by.length === 0 ? 1 : models[model])
  const meter = new SteppedMeter(countsOf, unitScale, seededBits(seed))
  return { meter, universe: people, unitScale }
}
const request: MarginalsRequest = {
  marginals: [['age'], ['member'], ['state'], ['age', 'state']],
  method: 'laplace',
  epsilon: rational(1, 10),
  floor: { kind: 'share', share: 0.001 },
  records: { kind: 'known', count: records },
  stepShare: rational(1, 2000),
}
const text = (value: string): Rational => parseRational(value)!

describe.each(Object.keys(models) as (keyof typeof models)[])('with %s neighbours', (model) => {
  test.each(methods)('%s keeps to its ε and tells what it measured', async (method) => {
    const context = setting(model)
    const result = await measureMarginals({ ...request, method }, context)
    expect(compare(context.meter.cost(), request.epsilon)).toBeLessThanOrEqual(0)
    expect(result.marginals.map(({ attributes }) => attributes)).toEqual(request.marginals)
    expect([result.records, result.floor, result.receipts.length]).toEqual([records, 20, 1])
    const bought = context.meter.bought
    for (const { attributes, query, values, scale, variance, epsilon } of result.marginals) {
      expect(query).toEqual(marginal(attributes))
      expect(values).toHaveLength(answerSize(query, people))
      const own = bought.filter((purchase) => purchase.query === query)
      expect(toNumber(context.meter.cost(own))).toBeCloseTo(epsilon, 9)
      const scales = own.map(({ law }) => (law.kind === 'laplace' ? toNumber(law.scale) : Number.NaN))
      expect(scales.at(-1)).toBeCloseTo(scale, 9)
      const precision = scales.reduce((sum, each) => sum + 1 / laplaceVariance(each), 0)
      expect(variance).toBeCloseTo(1 / precision, 6)
      // Laplace noise of scale b is beyond 40 b once in 10^17; a combination is not worse than its best part.
      const exact = countsOf(query)
      values.forEach((value, i) => {
        expect(Math.abs(value - exact[i]!)).toBeLessThan(40 * Math.max(...scales))
      })
    }
    expect(result.marginals.reduce((sum, { epsilon }) => sum + epsilon, 0)).toBeLessThanOrEqual(0.1 + 1e-12)
  })
})
