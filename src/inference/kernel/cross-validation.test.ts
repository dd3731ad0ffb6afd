import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { countAll, type Factor, type LinearQuery, type Measurement, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { heldOutAlpha } from './alpha.ts'
import { chooseAlpha } from './choose-alpha.ts'
import { CrossValidation, drawnFolds } from './cross-validation.ts'
import { Features } from './feature.ts'
import { fitKernel } from './fit.ts'
import { type KernelAnswer, kernelAnswers, kernelRows } from './kernel-answer.ts'
import { KernelEstimator } from './kernel-estimator.ts'
import { OwnError } from './own-error.ts'
import { plausibleCounts } from './plausible-counts.ts'
import { learnedPrior } from './prior/learned-prior.ts'
import { oneWayTables } from './prior/one-way.ts'
import { priorOf } from './prior/prior.ts'
import { shuffled } from './some-of.ts'

const sizes = [12, 8, 5]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 0, high: size - 1, closed: true })),
)
const records = 10_000

/** Ranges over two attributes of a table in which small codes are frequent and go together. */
function someRanges(seed: number, count: number, scale: number): Measurement[] {
  const { uniform } = seededBits(seed)
  const rows = Array.from({ length: records }, () => {
    const kind = uniform()
    return sizes.map((size) => Math.min(size - 1, Math.floor((size * (uniform() ** 3 + kind ** 2)) / 2)))
  })
  return Array.from({ length: count }, (_, i) => {
    const left = Math.floor(3 * uniform())
    const ranges = sizes.flatMap((size, place): [string, Factor & { kind: 'interval' }][] => {
      const ends = [Math.floor(size * uniform()), Math.floor(size * uniform())]
      return place === left
        ? []
        : [['abc'[place]!, { kind: 'interval', from: Math.min(...ends), to: Math.max(...ends) }]]
    })
    const exact = rows.filter((row) =>
      ranges.every(([name, { from, to }]) => row['abc'.indexOf(name)]! >= from && row['abc'.indexOf(name)]! <= to),
    ).length
    const noise = (uniform() < 0.5 ? -1 : 1) * Math.round(-scale * Math.log(1 - uniform()))
    const query: LinearQuery = { by: [], terms: [{ coefficient: 1, factors: Object.fromEntries(ranges) }], step: one }
    return {
      id: `${i}`,
      query,
      law: { kind: 'laplace', scale: rational(scale) },
      values: Float64Array.of(exact + noise),
    }
  })
}

const features = new Features(u, priorOf(u, []))
const answersOf = (measurements: readonly Measurement[]) => measurements.flatMap((m) => kernelAnswers(m, u, features))

describe('cross-validation', () => {
  test.each([
    ['a known number of records', { records }],
    ['a number of records that the answers tell', {}],
  ])('with %s is what leaving out each fold and estimating again gives', (_, known) => {
    const answers = answersOf([...someRanges(1, 60, 300), count(10_050)])
    const rows = kernelRows(answers)
    const validation = new CrossValidation(
      { answers, rows, ...known },
      drawnFolds(answers.length, 4, seededBits(5).uniform),
    )
    const order = shuffled(answers.length, seededBits(5).uniform)
    for (const alpha of [100, 1000, 10_000]) {
      let sum = 0
      for (let fold = 0; fold < 4; fold++) {
        const tested = new Set(order.filter((_, i) => i % 4 === fold))
        const estimator = new KernelEstimator({ alpha, ...known })
        estimator.append(answers.filter((_, i) => !tested.has(i)))
        const off = ({ feature, value, deviation }: KernelAnswer) => (estimator.estimate(feature) - value) / deviation
        for (const i of tested) sum += off(answers[i]!) ** 2
      }
      const expected = sum / answers.length - 1
      // A solution leaves up to a twentieth of the noise of each answer, and predictions may double that.
      expect(Math.abs(validation.error(alpha)! - expected)).toBeLessThan(0.1 * (expected + 1))
    }
  })

  test('chooses an α that is nearly the best for new ranges, and far better than trusting either side', () => {
    const all = someRanges(2, 400, 300)
    const [past, fresh] = [all.slice(0, 300), someRanges(2, 600, 1).slice(400)]
    const history = { universe: u, measurements: past, records }
    const off = (alpha?: number): number => {
      const model = fitKernel(history, { alpha, prior: [], random: seededBits(3).uniform })
      const squares = fresh.map(({ query, values }) => (model.answers(query)[0]! - Number(values[0])) ** 2)
      return Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length)
    }
    const tried = [30, 100, 300, 600, 1000, 2000, 4000, 10_000, 30_000].map(off)
    const chosen = off()
    expect(chosen).toBeLessThan(1.1 * Math.min(...tried))
    expect(chosen).toBeLessThan(0.7 * tried[0]!)
    expect(chosen).toBeLessThan(0.9 * tried.at(-1)!)
  })
})

const count = (value: number): Measurement => ({
  id: 'all',
  query: countAll,
  law: { kind: 'laplace', scale: rational(20) },
  values: Float64Array.of(value),
})

test('the search finds the least of an error that falls and rises, and stops where none is told', () => {
  const valley = (least: number) => (alpha: number) => Math.log(alpha / least) ** 2
  for (const least of [10, 77, 1234, 99_000]) {
    const found = chooseAlpha(valley(least), 1, 1e6)!
    expect(Math.abs(Math.log(found.alpha / least))).toBeLessThan(0.1)
  }
  expect(chooseAlpha((alpha) => (alpha > 50 ? undefined : -alpha), 1, 1e6)!.alpha).toBeCloseTo(32, 0)
  expect(chooseAlpha(() => undefined, 1, 10)).toBe(undefined)
})

describe('priors', () => {
  test('noisy counts are made plausible: none negative, the total right but for what keeps each possible', () => {
    const counts = plausibleCounts([500, 90, -40, 10, -10], [20, 20, 20, 20, 20], 560)
    // Twenty or so are taken from each of those that stay above 0; each then has one more.
    expect([...counts].map(Math.round)).toEqual([486, 76, 1, 1, 1])
    expect(counts.reduce((a, b) => a + b, 0)).toBeCloseTo(560 + 5, 6)
    // The noisier of two gives and takes more.
    expect([...plausibleCounts([100, 100], [1, 3], 220)].map((c) => Math.round(c * 10) / 10)).toEqual([102.1, 118.2])
  })

  test('come from released tables, without negative counts, and for other attributes from the answers', () => {
    const law = { kind: 'laplace', scale: rational(20) } as const
    const table = { id: 't', query: marginal(['c']), law, values: Float64Array.of(6000, 2500, 1000, 530, -30) }
    const past = { universe: u, measurements: [...someRanges(3, 250, 60), table], records }
    const random = seededBits(4).uniform
    expect(oneWayTables(past, random).map((t) => t !== undefined)).toEqual([false, false, true])
    const [a, , c] = learnedPrior(past, random).map((t) => Float64Array.from(t!))
    expect(c!.every((weight) => weight > 0)).toBe(true)
    expect(c![0]! / c![2]!).toBeCloseTo(6, 0)
    // Small codes are the frequent ones, about four times as frequent as large ones.
    const half = (from: number) => a!.slice(from, from + 6).reduce((x, y) => x + y, 0)
    expect(half(0)).toBeGreaterThan(2 * half(6))
  })

  test('that make no sense are refused', () => {
    for (const bad of [[1, 2], Array.from({ length: 12 }, () => 0), [-1, ...Array.from({ length: 11 }, () => 1)]])
      expect(() => priorOf(u, [bad])).toThrow(/a prior of a needs 12 weights/)
  })
})

test('of too many answers those that tell most are kept, and that is said', () => {
  const past = { universe: u, measurements: [...someRanges(5, 30, 300), ...someRanges(6, 30, 10)], records }
  const model = fitKernel(past, { mostAnswers: 30, prior: [], random: seededBits(1).uniform })
  expect(model.warnings).toEqual([expect.stringContaining('30 of 60')])
  expect(model.parameters.answers).toBe(30)
})

test('how far old estimates are off is told from the noisy answers alone', () => {
  const all = someRanges(7, 300, 300)
  const exact = someRanges(7, 300, 1)
  const answers = answersOf(all)
  const rows = kernelRows(answers)
  const own = new OwnError({ answers, rows, records }, seededBits(2).uniform)
  for (const alpha of [300, 1000, 4000]) {
    const estimator = new KernelEstimator({ alpha, records })
    estimator.append(answers, rows)
    const fitted = estimator.fitted()
    const squares = exact.map(({ values }, i) => ((fitted[i]! - Number(values[0])) / answers[i]!.deviation) ** 2)
    const off = squares.reduce((a, b) => a + b, 0) / squares.length
    // Cp has the noise's own mean square in it: 300 squares of Laplace noise vary by √(5/300) = 13%; 3.5 of them.
    expect(Math.abs(own.error(alpha)! - off)).toBeLessThan(0.45)
  }
})

test('precise answers are not drowned by a prior that tells new questions as well as any', () => {
  const past = { universe: u, measurements: someRanges(9, 40, 2), records }
  const exact = someRanges(9, 40, 1)
  const fitted = fitKernel(past, { random: seededBits(3).uniform }).fitted()
  const squares = exact.map(({ values }, i) => (fitted[i]! - Number(values[0])) ** 2)
  // Noise of scale 2 has a mean square of 8, and that of the exact ones here 2.
  expect(squares.reduce((a, b) => a + b, 0) / squares.length).toBeLessThan(25)
})

describe('the error of new questions is a number', () => {
  const law = { kind: 'laplace', scale: rational(10) } as const
  const many = (query: LinearQuery, value: number): Measurement[] =>
    Array.from({ length: 15 }, (_, i) => ({ id: `${i}`, query, law, values: Float64Array.of(value) }))
  const low: LinearQuery = {
    by: [],
    terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 5 } } }],
    step: one,
  }
  const contrast: LinearQuery = {
    ...low,
    terms: [...low.terms, { coefficient: -1, factors: { a: { kind: 'interval', from: 6, to: 11 } } }],
  }
  test.each([
    ['that are what the prior expects', { measurements: many(low, 5000), records }],
    ['of which one alone depends on the number of records', { measurements: [...many(contrast, 300), count(9990)] }],
    ['that contradict each other', { measurements: [...many(low, 1e9), ...many(low, 3)] }],
  ])('after answers %s', (_, past) => {
    const model = fitKernel({ universe: u, ...past }, { prior: [], random: seededBits(1).uniform })
    expect(model.parameters.validatedError).toBeGreaterThanOrEqual(0)
    expect(model.parameters.validatedError).toBeLessThan(Infinity)
    expect(model.estimates(low)[0]!.error).toBeGreaterThan(0)
  })
})

test('without answers that a prior has not seen nothing is said of it', () => {
  const answers = answersOf(someRanges(7, 20, 300))
  expect(heldOutAlpha({ answers, rows: kernelRows(answers), records }, [], seededBits(1).uniform)).toBe(undefined)
})

test.each([
  ['noisy answers', { measurements: [count(-300)] }, 'below 1'],
  ['a public count', { measurements: [count(3)], records: 0 }, 'public number of records is 0'],
])('a table without records, according to %s, has no model', (_, past, message) => {
  expect(() => fitKernel({ universe: u, ...past }, { random: seededBits(1).uniform })).toThrow(message)
})
