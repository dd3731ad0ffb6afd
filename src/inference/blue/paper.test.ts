// "Bayesian inference under differential privacy", section by section: the worked example of Eq. 11-12 and §3. Numbers
// are those of the continuous Laplace law, which no meter draws; the discrete law's variance stands beside.

import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational, toNumber } from '../../numeric/index.ts'
import type { LinearQuery, Measurement, NoiseLaw } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import type { Law } from '../error-law/law.ts'
import type { Estimated } from './estimate.ts'
import { openHistory } from './open-history.ts'
import { denseEstimate } from './scalars/dense.ts'

const u = universe([attribute({ kind: 'integer', name: 'x', closed: true, low: 1, high: 4 })])
const query = (values: readonly number[]): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors: { x: { kind: 'table', values } } }],
  step: rational(1, 10),
})
// Answers are printed to a tenth: in steps of 1/10 they are integers, and so are the queries.
const tenths = (values: readonly number[]) => values.map((value) => 10 * value)

const H = [
  [1, 1, 0, 0],
  [0, 0, 1, 1],
  [0, 0, 0, 1],
  [0, 0, 1, 0],
  [0, 1, 0, 1],
  [2, 1, 0, 0],
  [0, 0, 2, -1],
  [0, -1, 0, 1],
] as const
const alpha = [20, 10, 20, 10, 10, 20, 20, 10] // 1/α of Eq. 12
const S = H.map((row) => Math.max(...row.map(Math.abs))) // Eq. 10
const y = [308, 303, 469, 202, 304, 689, 389, 95] // §3, in tenths
const scales = alpha.map((inverse, i) => inverse * S[i]!)

const continuous = (noise: NoiseLaw): Law | undefined =>
  noise.kind === 'laplace' ? { kind: 'continuous-laplace', scale: toNumber(noise.scale) } : undefined

/** With a unit step the law is discrete on the integers, as a meter would draw it. */
function historyOf(law?: typeof continuous, step = 10) {
  const history = openHistory(u, { law, random: seededBits(1).uniform })
  H.forEach((row, i) => {
    const measurement: Measurement = {
      id: `${i + 1}.0`,
      query: step === 10 ? query(tenths(row)) : { ...query(row), step: one },
      law: { kind: 'laplace', scale: rational(scales[i]! * step) },
      values: Float64Array.of(y[i]! / (10 / step)),
    }
    history.append(measurement)
  })
  return history
}
const estimated = (answer: ReturnType<ReturnType<typeof historyOf>['estimate']>): Estimated => {
  if (!answer.estimable) throw new Error('not estimable')
  return answer
}
const Q = query(tenths([1, 0, 1, 0]))

test('Eq. 13: sensitivities', () => {
  expect(S).toEqual([1, 1, 1, 1, 1, 2, 2, 1])
})

describe('§3 the best linear unbiased estimator', () => {
  test('Eq. 15: x̂', () => {
    const history = historyOf(continuous)
    const cells = [0, 1, 2, 3].map((cell) => query(tenths([0, 0, 0, 0].map((_, i) => (i === cell ? 1 : 0)))))
    const x = cells.map((cell) => estimated(history.estimate(cell)).estimate)
    expect(x.map((value) => value.toFixed(2))).toEqual(['24.99', '10.18', '17.02', '19.50'])
  })

  test('Theorem 3.1: θ̂ and A', () => {
    const { estimate, sources, coefficients } = estimated(historyOf(continuous).estimate(Q))
    expect(estimate.toFixed(3)).toBe('42.014')
    const A = [0.477, 0.364, -0.033, 0.495, -0.5, 0.262, 0.07, 0.238]
    const weights = new Map(sources.map(({ id, weight }) => [id, 10 * weight]))
    A.forEach((a, i) => {
      expect(weights.get(`${i + 1}.0`)!.toFixed(3)).toBe(Math.abs(a).toFixed(3))
    })
    const printed = coefficients.map(({ coefficient }) => (10 * coefficient).toFixed(3)).sort()
    expect(printed).toEqual(A.map((a) => a.toFixed(3)).sort())
  })

  test('Corollary 3.2: the variance, for the continuous law and for the discrete one', () => {
    expect(estimated(historyOf(continuous).estimate(Q)).variance.toFixed(3)).toBe('554.450')
    const discrete = historyOf(undefined, 1).estimate({ ...query([1, 0, 1, 0]), step: one })
    expect(estimated(discrete).variance.toFixed(3)).toBe('554.286')
  })

  test('the dense form agrees', () => {
    const dense = denseEstimate(
      { rows: H.map((row) => Float64Array.from(row)), variances: scales.map((b) => 2 * b * b) },
      Float64Array.of(1, 0, 1, 0),
    )!
    expect(dense.variance.toFixed(3)).toBe('554.450')
    expect(dense.coefficients.reduce((sum, a, i) => sum + (a * y[i]!) / 10, 0).toFixed(3)).toBe('42.014')
  })
})
