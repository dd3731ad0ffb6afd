import { expect, test } from 'vitest'
import { rational, toNumber } from '../../numeric/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { type MarginalsOptions, readMarginals } from './options.ts'

const people = universe([
  attribute({ kind: 'values', name: 'sex', values: ['Female', 'Male'], other: false, closed: true }),
  attribute({ kind: 'values', name: 'state', values: ['CA', 'TX'], other: true, closed: false }),
  attribute({ kind: 'integer', name: 'age', low: 0, high: 90, closed: true }),
])
const termsWith = (rho: number | null) =>
  ({ universe: people, cap: { epsilon: 10 ** 12, rho }, terms: { delta: rational(1, 10 ** 9) } }) as Parameters<
    typeof readMarginals
  >[1]
const read = (options: MarginalsOptions) => readMarginals(options, termsWith(null))
const readWithDelta = (options: MarginalsOptions) => readMarginals(options, termsWith(10 ** 10))

test('which marginals, in every way to say it', () => {
  const which = (options: MarginalsOptions) => read({ epsilon: 1, ...options }).marginals.map((list) => list.join())
  expect(which({ ways: 2 })).toEqual(['sex,state', 'sex,age', 'state,age'])
  expect(which({ of: 'age,sex; state' })).toEqual(['age,sex', 'state'])
  expect(which({ of: [['age', 'sex'], ['state']] })).toEqual(['age,sex', 'state'])
  expect(which({ with: 'state' })).toEqual(['state', 'state,sex', 'state,age'])
  expect(which({ with: 'state', ways: 3 })).toEqual(['state', 'state,sex,age'])
})

test('what else there is to say, and what holds unless said otherwise', () => {
  expect(read({ ways: 1, epsilon: '0.1' })).toMatchObject({
    floor: { kind: 'share', share: 0.0001, least: 10 },
    raw: false,
    purchase: {
      budget: { epsilon: rational(1, 10) },
      method: 'ireduct',
      floor: { kind: 'share', share: 0.0001, least: 10 },
      records: { kind: 'bought', share: rational(2, 100) },
    },
  })
  expect(read({ ways: 1, free: true }).purchase).toBeNull()
  const full = read({
    ways: 1,
    epsilon: 1,
    method: 'two-phase',
    floor: 30,
    firstShare: 0.1,
    countShare: 0.5,
    records: '1e5',
  })
  expect(full).toMatchObject({
    floor: { kind: 'count', count: 30 },
    about: 100_000,
    purchase: {
      method: 'two-phase',
      firstShare: rational(1, 10),
      records: { kind: 'bought', share: rational(1, 2) },
    },
  })
  expect(read({ ways: 1, epsilon: 1, floor: '30' }).floor).toEqual({ kind: 'count', count: 30 })
  expect(read({ ways: 1, epsilon: 1, floor: '1e-3n' }).floor).toEqual({ kind: 'share', share: 0.001 })
})

test('with δ the default is gaussian, and ε is the ρ that comes to it for methods that draw Gaussian noise', () => {
  const purchase = (options: MarginalsOptions) => readWithDelta({ ways: 1, epsilon: 1, ...options }).purchase!
  // ρ = 0.01497 is (1, 10^-9)-private.
  expect(purchase({}).method).toBe('gaussian')
  for (const method of ['gaussian', 'two-phase'] as const)
    expect(toNumber(purchase({ method }).budget.rho!)).toBeCloseTo(0.01497, 5)
  for (const method of ['ireduct', 'laplace', 'iresamp'] as const)
    expect(purchase({ method }).budget).toEqual({ epsilon: rational(1) })
  expect(purchase({ weights: '4, 1, 1' }).weights).toEqual([4, 1, 1])
  expect(() => purchase({ epsilon: 1e-12 })).toThrow('too small to buy anything')
})

test('what makes no sense is refused, with what was meant', () => {
  const all = { ways: 1, epsilon: 0.1 }
  const wrong: [object, string][] = [
    [{ ways: 9, epsilon: 1 }, 'from 1 to 3'],
    [{ ways: Number.NaN, epsilon: 1 }, 'whole number'],
    [{ of: 'sex,aeg', epsilon: 1 }, 'did you mean age'],
    [{ of: [['sex', 'sex']], epsilon: 1 }, 'twice'],
    [{ with: 'stat', epsilon: 1 }, 'did you mean state'],
    [{ ways: 1, of: 'sex', epsilon: 1 }, 'one of ways, of and with'],
    [{ of: 'sex', with: 'age', epsilon: 1 }, 'one of ways, of and with'],
    [{ epsilon: 1 }, 'one of ways, of and with'],
    [{ ways: 1 }, 'what the release may cost'],
    [{ ...all, free: true }, 'what the release may cost'],
    [{ ways: 1, epsilon: 0 }, 'above 0'],
    [{ ...all, method: 'ireduce' }, 'did you mean ireduct'],
    [{ ...all, method: 'toString' }, 'no method'],
    [{ ways: 1, free: true, method: 'ireduce' }, 'did you mean ireduct'],
    [{ ...all, floor: 'none' }, 'the floor'],
    [{ ...all, floor: '-1n' }, 'the floor'],
    [{ ...all, floor: 0 }, 'the floor'],
    [{ ...all, floor: '1e300' }, 'between 10^-15 and 10^15'],
    [{ ...all, floor: '1e-300n' }, 'between 10^-15 and 10^15'],
    [{ ...all, records: '1e400' }, 'between 10^-15 and 10^15'],
    [{ ...all, firstShare: 0.1 }, 'two-phase'],
    [{ ...all, method: 'gaussian' }, 'needs a δ in the policy'],
    [{ ...all, weights: '1, 2, 3' }, 'only work with the methods gaussian and laplace'],
    [{ ...all, method: 'laplace', weights: '1, 2' }, 'there are 3 marginals, and 2 weights'],
    [{ ...all, method: 'laplace', weights: '1, 2, x' }, 'a weight must be'],
    [{ ...all, method: 'laplace', weights: [1, 2, 0] }, 'a weight must be'],
    [{ ...all, method: 'two-phase', firstShare: 1 }, 'below 1'],
    [{ ...all, countShare: 1.5 }, 'below 1'],
    [{ ...all, records: 'many' }, 'number of records'],
    [{ ...all, metod: 'laplace' }, 'did you mean method'],
  ]
  for (const [options, words] of wrong) expect(() => read(options as MarginalsOptions)).toThrow(words)
})
