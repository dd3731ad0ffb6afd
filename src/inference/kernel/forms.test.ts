import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { ProductModel } from '../../model/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { countAll, type Factor, isMarginal, type LinearQuery, type Measurement } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { openHistory } from '../blue/open-history.ts'
import type { KernelHistory } from './cross-validation.ts'
import { EigenQueries } from './eigen-queries.ts'
import { type Feature, Features } from './feature.ts'
import { fitKernel } from './fit.ts'
import { kernelAnswers, kernelRows } from './kernel-answer.ts'
import { KernelEstimator } from './kernel-estimator.ts'
import { KernelFits } from './kernel-fits.ts'
import { priorOf } from './prior/prior.ts'
import { SpanEstimator } from './span-estimator.ts'

const sizes = [6, 4, 3]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 0, high: size - 1, closed: true })),
)
const records = 5000

/** Random ranges over some attributes, and what goes with them: the same again, sums and differences of two, and all records. */
function randomHistory(seed: number, count = 25): Measurement[] {
  const { uniform } = seededBits(seed)
  const below = (n: number) => Math.floor(n * uniform())
  const range = (): LinearQuery => {
    const factors = sizes.flatMap((size, i): [string, Factor][] => {
      if (uniform() < 0.4) return []
      const [x, y] = [below(size), below(size)]
      return [['abc'[i]!, { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }]]
    })
    return { by: [], terms: [{ coefficient: 1, factors: Object.fromEntries(factors) }], step: one }
  }
  const queries = Array.from({ length: count }, range)
  const both = (sign: number): LinearQuery => {
    const [x, y] = [queries[below(count)]!, queries[below(count)]!]
    return { ...x, terms: [...x.terms, ...y.terms.map((t) => ({ ...t, coefficient: sign * t.coefficient }))] }
  }
  const all = [...queries, queries[0]!, queries[1]!, both(1), both(1), both(-1), countAll]
  return all.map((query, i) => ({
    id: `${i}`,
    query,
    law:
      i % 3 === 0
        ? { kind: 'gaussian', variance: rational(1 + below(5000)) }
        : { kind: 'laplace', scale: rational(1 + below(50)) },
    values: Float64Array.of(agreeing(query, below(records))),
  }))
}
/** All records are as many as is public: anything else would be refused. */
const agreeing = (query: LinearQuery, value: number): number => (isMarginal(query) ? records : value)

const tables = [[1, 2, 3, 4, 5, 6], undefined, [3, 1, 1]]
const features = new Features(u, priorOf(u, tables))
const historyOf = (seed: number) => {
  const measurements = randomHistory(seed)
  const answers = measurements.flatMap((m) => kernelAnswers(m, u, features))
  return { measurements, answers, rows: kernelRows(answers) }
}
const asked = (seed: number) => randomHistory(seed + 1000).map(({ query }) => query)

function told(alpha: number, questions: readonly Feature[], { answers, rows }: KernelHistory): readonly number[] {
  if (alpha === Infinity) {
    const unbiased = new SpanEstimator(answers, rows, { alpha, records })
    return questions.map((feature) => unbiased.estimate(feature))
  }
  const estimator = new KernelEstimator({ alpha, records })
  estimator.append(answers, rows)
  return questions.map((feature) => estimator.estimate(feature))
}

describe('with duplicates and dependent queries', () => {
  test.each(Array.from({ length: 12 }, (_, i) => i + 1))('history %i: the fast form is the eigen form', (seed) => {
    const { answers, rows } = historyOf(seed)
    const slow = new EigenQueries({ answers, rows }, records)
    expect(slow.rank).toBeLessThan(answers.length)
    const questions = asked(seed).map((query) => features.of(query))
    for (const alpha of [1, 30, 1000, records, Infinity]) {
      const fast = told(alpha, questions, { answers, rows })
      for (const [i, feature] of questions.entries()) {
        const expected = slow.estimate(feature, alpha)
        // An estimate far below the answers is a difference of them: of -27 (history 21) the fast form has 8 digits right, the eigen form 11.
        expect(Math.abs(fast[i]! - expected), `α = ${alpha}`).toBeLessThanOrEqual(
          1e-8 * Math.max(records / 100, Math.abs(expected)),
        )
      }
    }
  })

  // Of history 21 the fast form has one estimate, -27, to 1.4e-8 of itself only; of history 416 one of -2.
  test.each([1, 21, 416])('history %i: by what the queries span, every digit is that of the eigen form', (seed) => {
    const { answers, rows } = historyOf(seed)
    const slow = new EigenQueries({ answers, rows }, records)
    const questions = asked(seed).map((query) => features.of(query))
    for (const alpha of [1, 30, 1000, records]) {
      const span = new SpanEstimator(answers, rows, { alpha, records })
      const fast = new KernelEstimator({ alpha, records })
      fast.append(answers, rows)
      for (const feature of questions) {
        const expected = slow.estimate(feature, alpha)
        // A question that is 0 for every table has rounding for an estimate, in both forms.
        const rounding = 1e-9
        expect(Math.abs(span.estimate(feature) - expected), `α = ${alpha}`).toBeLessThanOrEqual(
          Math.max(rounding, 1e-8 * Math.abs(expected)),
        )
        const [x, y] = [span, fast].map((estimator) => estimator.errorProducts([[feature, feature]])[0]!)
        expect(x).toBeCloseTo(y!, 3)
      }
    }
  })

  test('a short history is told by what its queries span, where some depend on others', () => {
    const { measurements } = historyOf(21)
    const { answers, rows } = historyOf(21)
    const model = fitKernel(
      { universe: u, measurements, records },
      { alpha: records, prior: tables, random: () => 0.5 },
    )
    const slow = new EigenQueries({ answers, rows }, records)
    for (const query of asked(21)) {
      const expected = slow.estimate(features.of(query), records)
      expect(Math.abs(model.answers(query)[0]! - expected)).toBeLessThanOrEqual(
        Math.max(1e-9, 1e-8 * Math.abs(expected)),
      )
    }
  })

  test('so is a longer one, where α is so large that the fast form would lose digits', () => {
    const measurements = randomHistory(21, 300)
    const answers = measurements.flatMap((m) => kernelAnswers(m, u, features))
    const rows = kernelRows(answers)
    const apart = (alpha: number) => {
      const model = new KernelFits({ universe: u, measurements, records }, tables).model(alpha)
      const [span, fast] = [
        new SpanEstimator(answers, rows, { alpha, records }),
        new KernelEstimator({ alpha, records }),
      ]
      fast.append(answers, rows)
      return asked(21).map((query) => {
        const told = model.answers(query)[0]!
        return [span, fast].map((form) => Math.abs(form.estimate(features.of(query)) - told))
      })
    }
    const [large, small] = [apart(records), apart(1)]
    expect(large.every(([fromSpan]) => fromSpan === 0)).toBe(true)
    expect(large.some(([, fromFast]) => fromFast! > 0)).toBe(true)
    expect(small.every(([, fromFast]) => fromFast === 0)).toBe(true)
  })

  test.each([1, 2, 3])('history %i: the estimates of its own queries, at once and one by one', (seed) => {
    const { answers, rows } = historyOf(seed)
    const estimator = new KernelEstimator({ alpha: 500 })
    estimator.append(answers, rows)
    const fitted = estimator.fitted()
    // Counts of thousands.
    for (const [i, { feature }] of answers.entries()) expect(estimator.estimate(feature)).toBeCloseTo(fitted[i]!, 7)
  })

  test.each([1, 2, 3])('history %i: answers that come one by one tell the same', (seed) => {
    const { answers } = historyOf(seed)
    const [whole, grown] = [new KernelEstimator({ alpha: 500 }), new KernelEstimator({ alpha: 500 })]
    whole.append(answers)
    for (const answer of answers) grown.append([answer])
    for (const query of asked(seed)) {
      const feature = features.of(query)
      expect(grown.estimate(feature)).toBeCloseTo(whole.estimate(feature), 7)
      const [x, y] = [grown, whole].map((estimator) => estimator.errorProducts([[feature, feature]])[0]!)
      expect(x! / y!).toBeCloseTo(1, 7)
    }
  })
})

describe('α = ∞', () => {
  test.each([
    ['a public number of records', records],
    ['no public number of records', undefined],
  ])('with %s is the best linear unbiased estimate, and knows what is determined', (_, known) => {
    for (const seed of [1, 2, 3, 4]) {
      const measurements = randomHistory(seed)
      const random = seededBits(9).uniform
      const history = openHistory(u, { random, ...(known !== undefined && { publicCount: known }) })
      for (const measurement of measurements) history.append(measurement)
      const past = { universe: u, measurements, ...(known !== undefined && { records: known }) }
      const model = fitKernel(past, { alpha: Infinity, prior: tables, random })
      for (const query of [...measurements.map((m) => m.query), ...asked(seed)]) {
        const [best, [told]] = [history.estimate(query), model.estimates(query)]
        expect(told!.error !== undefined).toBe(best.estimable)
        if (!best.estimable) continue
        // Both round in doubles; the least variance is that of integers, above 1.
        expect(told!.estimate).toBeCloseTo(best.estimate, 5)
        expect(told!.error! ** 2).toBeCloseTo(best.variance, 4)
      }
    }
  })
})

test('around another table than the prior’s, the fast form is the eigen form too, and α = ∞ stays as it is', () => {
  const measurements = randomHistory(3)
  const past = { universe: u, measurements, records }
  const elsewhere = new ProductModel(u, 77, [
    [6, 5, 4, 3, 2, 1],
    [1, 1, 4, 4],
    [1, 2, 3],
  ])
  const [around, plain] = [new KernelFits(past, tables, { expected: elsewhere }), new KernelFits(past, tables)]
  const [form, fast, free] = [around.eigenForm(), around.model(300), around.model(Infinity)]
  const [unmoved, best] = [plain.model(300), plain.model(Infinity)]
  const apart = asked(3).map((query) => {
    const [estimate] = fast.answers(query)
    expect(Math.abs(estimate! - form.estimate(query, 300))).toBeLessThanOrEqual((1e-8 * records) / 100)
    const [x, y] = [free, best].map((model) => model.estimates(query)[0]!)
    if (y!.error !== undefined) expect(x!.estimate).toBeCloseTo(y!.estimate, 5)
    return Math.abs(estimate! - unmoved.answers(query)[0]!)
  })
  expect(Math.max(...apart)).toBeGreaterThan(1)
})

test('a universal query with less and less noise comes to a known number of records', () => {
  const { answers, rows } = historyOf(7)
  const known = new KernelEstimator({ alpha: 300, records })
  known.append(answers, rows)
  const told = new KernelEstimator({ alpha: 300 })
  told.append([...answers, { feature: features.of(countAll), value: records, deviation: 1e-4 }])
  expect(told.records).toBeCloseTo(records, 3)
  for (const query of asked(7))
    expect(told.estimate(features.of(query))).toBeCloseTo(known.estimate(features.of(query)), 2)
})

test('the error is what estimates are off by on tables as the prior has them', () => {
  const { uniform } = seededBits(11)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const alpha = 60
  const cells = sizes.reduce<number[][]>(
    (all, n) => all.flatMap((c) => Array.from({ length: n }, (_, i) => [...c, i])),
    [[]],
  )
  const queries = randomHistory(12, 8).map(({ query }) => query)
  const questions = asked(12).slice(0, 6)
  const flat = new Features(u, priorOf(u, []))
  const weight = (query: LinearQuery, cell: number[]) =>
    query.terms.reduce((sum, { coefficient, factors }) => {
      const isIn = Object.entries(factors).every(([name, f]) => {
        const code = cell['abc'.indexOf(name)]!
        return f.kind === 'interval' && code >= f.from && code <= f.to
      })
      return sum + (isIn ? coefficient : 0)
    }, 0)
  const runs = 1000
  const squares = new Float64Array(questions.length)
  let errors: number[] = []
  for (let run = 0; run < runs; run++) {
    // Counts around n/cells with variance α²/cells, their total put right.
    const free = cells.map(() => (alpha / Math.sqrt(cells.length)) * normal())
    const mean = free.reduce((a, b) => a + b, 0) / free.length
    const counts = free.map((value) => records / cells.length + value - mean)
    const exact = (query: LinearQuery) => cells.reduce((sum, cell, i) => sum + counts[i]! * weight(query, cell), 0)
    const estimator = new KernelEstimator({ alpha, records })
    estimator.append(queries.map((q) => ({ feature: flat.of(q), value: exact(q) + 20 * normal(), deviation: 20 })))
    const asked = questions.map((q) => flat.of(q))
    if (run === 0) errors = [...estimator.errorProducts(asked.map((f) => [f, f] as const))]
    for (const [i, q] of questions.entries()) squares[i]! += (estimator.estimate(asked[i]!) - exact(q)) ** 2 / runs
  }
  // A mean of 1,000 squares of normal numbers has a deviation of √(2/1000) = 4.5%; 4.9 of them, one false alarm in 10^6.
  for (const [i, error] of errors.entries())
    if (error > 1e-6) expect(Math.abs(squares[i]! / error - 1)).toBeLessThan(0.22)
  expect(errors.some((error) => error > 100)).toBe(true)
})
