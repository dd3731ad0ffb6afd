import { describe, expect, test } from 'vitest'
import { SteppedMeter } from '../../../test/support/stepped-meter.ts'
import { seededBits } from '../../evaluation/index.ts'
import { compare, laplaceVariance, multiply, rational, subtract, toNumber, zero } from '../../numeric/index.ts'
import { answerSize, countAll, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { measureMarginals } from './measure.ts'
import type { MarginalsRequest, MethodName } from './methods/index.ts'

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
const methods: MethodName[] = ['laplace', 'two-phase', 'ireduct', 'iresamp']

function setting(model: keyof typeof models, seed = 1) {
  const unitNoise = (query: LinearQuery) => rational(query.by.length === 0 ? 1 : models[model])
  const meter = new SteppedMeter(countsOf, unitNoise, seededBits(seed))
  return { meter, universe: people, unitNoise }
}
const epsilon = rational(1, 10)
const request: MarginalsRequest = {
  marginals: [['age'], ['member'], ['state'], ['age', 'state']],
  method: 'laplace',
  budget: { epsilon },
  floor: { kind: 'share', share: 0.001 },
  records: { kind: 'known', count: records },
  stepShare: rational(1, 2000),
}
describe.each(Object.keys(models) as (keyof typeof models)[])('with %s neighbours', (model) => {
  test.each(methods)('%s keeps to its ε and tells what it measured', async (method) => {
    const context = setting(model)
    const result = await measureMarginals({ ...request, method }, context)
    expect(compare(context.meter.cost(), epsilon)).toBeLessThanOrEqual(0)
    expect(result.marginals.map(({ attributes }) => attributes)).toEqual(request.marginals)
    expect([result.records, result.floor, result.receipts.length]).toEqual([records, 20, 1])
    const bought = context.meter.bought
    for (const { attributes, query, values, scale, variance, price } of result.marginals) {
      expect(query).toEqual(marginal(attributes))
      expect(values).toHaveLength(answerSize(query, people))
      const own = bought.filter((purchase) => purchase.query === query)
      expect(toNumber(context.meter.cost(own))).toBeCloseTo(price, 9)
      const scales = own.map(({ law }) => (law.kind === 'laplace' ? toNumber(law.scale) : Number.NaN))
      // The scale is that of the noise in what was made of them.
      expect(laplaceVariance(scale) / variance).toBeCloseTo(1, 9)
      const precision = scales.reduce((sum, each) => sum + 1 / laplaceVariance(each), 0)
      expect(variance).toBeCloseTo(1 / precision, 6)
      // Laplace noise of scale b is beyond 40 b once in 10^17; a combination is not worse than its best part.
      const exact = countsOf(query)
      values.forEach((value, i) => {
        expect(Math.abs(value - exact[i]!)).toBeLessThan(40 * Math.max(...scales))
      })
    }
    expect(result.marginals.reduce((sum, { price }) => sum + price, 0)).toBeLessThanOrEqual(0.1 + 1e-12)
  })
})

describe.each(Object.keys(models) as (keyof typeof models)[])('what is spent, with %s neighbours', (model) => {
  test('in two phases adds up to ε exactly, whatever the first one showed', async () => {
    for (const [share, seed] of [
      [undefined, 1],
      [rational(1, 3), 2],
      [rational(7, 10), 3],
    ] as const) {
      const context = setting(model, seed)
      await measureMarginals({ ...request, method: 'two-phase', ...(share && { firstShare: share }) }, context)
      expect(context.meter.cost()).toEqual(epsilon)
      // Four answers at one scale, for the first phase's share and not a unit more than it, then four at their own.
      const scales = context.meter.bought.map(({ law }) => (law.kind === 'laplace' ? law.scale : zero))
      expect(scales.slice(0, 4)).toEqual(Array(4).fill(scales[0]))
      const first = multiply(share ?? rational(25, 1000), epsilon)
      const cost = context.meter.cost(context.meter.bought.slice(0, 4))
      expect(compare(cost, first)).toBeLessThanOrEqual(0)
      expect(toNumber(subtract(first, cost))).toBeLessThan(5e-12)
    }
  })

  test('on a marginal by halving its noise k times is u·(2/λ - 1/λmax), and no other halving fits', async () => {
    const context = setting(model, 4)
    const { marginals } = await measureMarginals({ ...request, method: 'iresamp' }, context)
    const most = records / 10
    const unit = models[model]
    for (const { query, price } of marginals) {
      const own = context.meter.bought.filter((purchase) => purchase.query === query)
      expect(own.map(({ law }) => law.kind === 'laplace' && toNumber(law.scale))).toEqual(
        own.map((_, k) => most / 2 ** k),
      )
      const scale = most / 2 ** (own.length - 1)
      // Each of some ten prices is rounded up to 10^-12.
      expect(price - unit * (2 / scale - 1 / most)).toBeLessThan(2e-11)
      expect(price).toBeGreaterThanOrEqual(unit * (2 / scale - 1 / most) - 1e-15)
      const left = toNumber(epsilon) - toNumber(context.meter.cost())
      expect(unit / (scale / 2)).toBeGreaterThan(left)
    }
  })

  test('with equal scales is ε but for the rounding of prices', async () => {
    const context = setting(model, 5)
    await measureMarginals(request, context)
    const scales = context.meter.bought.map(({ law }) => law.kind === 'laplace' && law.scale)
    expect(scales).toEqual(Array(4).fill(scales[0]))
    expect(0.1 - toNumber(context.meter.cost())).toBeLessThan(5e-12)
  })

  test('on the number of records is its share; the method has the rest', async () => {
    for (const method of methods) {
      const context = setting(model, 6)
      const bought = { kind: 'bought', share: rational(1, 20) } as const
      const result = await measureMarginals({ ...request, method, records: bought }, context)
      expect(result.receipts).toHaveLength(2)
      expect(context.meter.bought[0]).toEqual({ query: countAll, law: { kind: 'laplace', scale: rational(200) } })
      expect(compare(context.meter.cost(), epsilon)).toBeLessThanOrEqual(0)
      const [noisy] = result.receipts[0]!.measurements[0]!.values
      expect(result.records).toBe(noisy)
      expect(result.floor).toBe(0.001 * result.records!)
    }
  })

  test('where nothing needs the number of records is all for the method', async () => {
    for (const method of ['laplace', 'two-phase'] as const) {
      const context = setting(model, 6)
      const even = { ...request, method, floor: { kind: 'count', count: 30 }, records: { kind: 'unneeded' } } as const
      const result = await measureMarginals(even, context)
      expect([result.records, result.floor, result.receipts.length]).toEqual([undefined, 30, 1])
      expect(context.meter.bought.every(({ query }) => query !== countAll)).toBe(true)
      expect(0.1 - toNumber(context.meter.cost())).toBeLessThan(5e-12)
    }
  })
})

test('scales suit what the counts are: little noise where many are small', async () => {
  for (const method of ['two-phase', 'ireduct', 'iresamp'] as const) {
    const { marginals } = await measureMarginals({ ...request, method }, setting('add-remove', 7))
    const [, member, , pairs] = marginals
    expect(pairs!.scale).toBeLessThan(member!.scale)
  }
})

test('a floor may be a count; a number of records below 1 is taken for 1', async () => {
  const { floor } = await measureMarginals({ ...request, floor: { kind: 'count', count: 30 } }, setting('add-remove'))
  expect(floor).toBe(30)
  const none = await measureMarginals({ ...request, records: { kind: 'known', count: -3 } }, setting('add-remove'))
  expect([none.records, none.floor]).toEqual([1, 0.001])
})

describe('is refused before anything is asked or spent:', () => {
  const wrong: [string, Partial<MarginalsRequest>, string][] = [
    ['no marginal', { marginals: [] }, 'no marginal'],
    ['an unknown attribute', { marginals: [['age'], ['stat']] }, 'did you mean state'],
    [
      'a marginal twice',
      {
        marginals: [
          ['age', 'state'],
          ['state', 'age'],
        ],
      },
      'listed twice',
    ],
    ['an attribute twice', { marginals: [['age', 'age']] }, 'twice'],
    ['no attribute', { marginals: [[]] }, 'needs attributes'],
    ['no ε', { budget: { epsilon: rational(0) } }, 'ε must be above 0'],
    ['negative ε', { budget: { epsilon: rational(-1) } }, 'ε must be above 0'],
    ['ε too small to share', { budget: { epsilon: rational(1n, 10n ** 12n) } }, 'too small'],
    ['a floor of 0', { floor: { kind: 'count', count: 0 } }, 'floor'],
    ['a floor of nothing', { floor: { kind: 'share', share: Number.NaN } }, 'floor'],
    ['records without end', { records: { kind: 'known', count: Number.POSITIVE_INFINITY } }, 'finite'],
    ['all of ε for the records', { records: { kind: 'bought', share: rational(1) } }, 'share'],
    ['all of ε for the first phase', { method: 'two-phase', firstShare: rational(1) }, 'share'],
    ['steps of 0', { method: 'ireduct', stepShare: rational(0) }, 'share'],
    ['steps without end', { method: 'ireduct', stepShare: rational(1n, 10n ** 15n) }, 'steps'],
    [
      'a start below every grid',
      { method: 'ireduct', startShare: rational(1n, 10n ** 9n), budget: { epsilon: rational(10n ** 6n) } },
      'too small to start with',
    ],
    // 4 marginals at λmax = 20,000/10⁵: 4/0.2 = 20.
    [
      'a start that costs more than ε',
      { method: 'ireduct', startShare: rational(1, 100_000) },
      'cost ε = 20, and there is 0.1',
    ],
    ['no number of records for what needs one', { records: { kind: 'unneeded' } }, 'number of records'],
    ['the same with iresamp', { method: 'iresamp', startShare: rational(1, 100_000) }, 'cost ε = 20, and there is 0.1'],
  ]
  test.each(wrong)('%s', async (_, change, words) => {
    const context = setting('add-remove')
    await expect(measureMarginals({ ...request, ...change }, context)).rejects.toThrow(words)
    expect(context.meter.log).toEqual([])
  })
  test('and what is missing is said', async () => {
    const tooMuch = measureMarginals(
      { ...request, method: 'ireduct', budget: { epsilon: rational(1, 1000) } },
      setting('add-remove'),
    )
    await expect(tooMuch).rejects.toMatchObject({ code: 'scale-invalid', facts: { needed: 0.002, given: 0.001 } })
    await expect(tooMuch).rejects.toMatchObject({ hint: expect.stringContaining('0.002') })
  })
})

test('where the number of records was bought first, a refusal says that it is there', async () => {
  const context = setting('add-remove')
  const bought = { kind: 'bought', share: rational(1, 20) } as const
  const tooMuch = measureMarginals(
    { ...request, method: 'ireduct', records: bought, budget: { epsilon: rational(1, 4000) } },
    context,
  )
  // A twentieth of 1/4000 buys it with noise of scale 80,000; there are 20,000.
  await expect(tooMuch).rejects.toMatchObject({
    code: 'scale-invalid',
    detail: expect.stringMatching(/now in the history: \d+ was used, and its noise has scale 80000\./),
    hint: expect.stringContaining('mostly noise'),
  })
  expect(context.meter.log).toEqual(['measure'])
  expect(context.meter.cost()).toEqual(rational(1, 80_000))
})

test('and how much to give, where the number that was bought will be used again', async () => {
  const refused = async (epsilon: number, share: number) => {
    const bought = { kind: 'bought', share: rational(share, 100) } as const
    const given = {
      ...request,
      method: 'ireduct',
      records: bought,
      budget: { epsilon: rational(epsilon, 10_000) },
    } as const
    return measureMarginals(given, setting('add-remove')).then(
      () => expect.fail('it started'),
      ({ facts, hint }) => ({ facts, hint }),
    )
  }
  // Four marginals cost 40/n, about 0.002, and have a tenth of what is given: 0.02, up to the noise in n, of scale 110.
  const near = await refused(100, 90)
  expect(near.hint).toContain(`Spend at least ${near.facts.least},`)
  expect(0.1 * near.facts.least).toBeGreaterThanOrEqual(near.facts.needed)
  expect(0.1 * (near.facts.least - 0.0001)).toBeLessThan(near.facts.needed)
})

test('progress goes up to 1', async () => {
  for (const method of methods) {
    const seen: number[] = []
    await measureMarginals({ ...request, method }, { ...setting('add-remove'), progress: (share) => seen.push(share) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    if (method !== 'laplace') expect(seen.at(-1)).toBe(1)
    for (const share of seen) expect(share).toBeLessThanOrEqual(1)
  }
})
