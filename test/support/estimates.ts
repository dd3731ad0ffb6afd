import { expect } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { type Estimate, type Estimated, type HistoryOptions, openHistory } from '../../src/inference/index.ts'
import { one, rational } from '../../src/numeric/index.ts'
import {
  answerSize,
  combine,
  type Factor,
  type LinearQuery,
  type Measurement,
  type NoiseLaw,
} from '../../src/query/index.ts'
import { attribute, type Universe } from '../../src/schema/index.ts'

export const law: NoiseLaw = { kind: 'laplace', scale: rational(10) }
export const count = (factors: { [name: string]: Factor }): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors }],
  step: one,
})
export const code = (c: number): Factor => ({ kind: 'interval', from: c, to: c })
export const less = (query: LinearQuery, other: LinearQuery) =>
  combine([
    { query, times: one },
    { query: other, times: rational(-1) },
  ])
export const measured = (
  id: string,
  query: LinearQuery,
  values: readonly number[],
  noise: NoiseLaw = law,
): Measurement => ({
  id,
  query,
  law: noise,
  values: Float64Array.from(values),
})
/** An answer whose values do not matter, with Laplace noise. */
export const madeUp = (u: Universe, query: LinearQuery, id: string, scale: number): Measurement => ({
  id,
  query,
  law: { kind: 'laplace', scale: rational(scale) },
  values: Float64Array.from({ length: answerSize(query, u) }, (_, cell) => (17 * scale + 5 * cell) % 101),
})
export function historyOf(u: Universe, list: readonly Measurement[], options: Partial<HistoryOptions> = {}) {
  const history = openHistory(u, { random: seededBits(1).uniform, ...options })
  for (const measurement of list) history.append(measurement)
  return history
}
export const found = (estimate: Estimate): Estimated => {
  if (!estimate.estimable) throw new Error('not estimable')
  return estimate
}
export const numbersOf = (estimate: Estimate) =>
  estimate.estimable && { estimate: estimate.estimate, variance: estimate.variance }
/** Equal but for rounding errors of sums in another order. */
export function same(x: Estimate, y: Estimate): void {
  expect(x.estimable).toBe(y.estimable)
  if (!x.estimable || !y.estimable) return
  expect(Math.abs(x.estimate - y.estimate)).toBeLessThanOrEqual(
    1e-9 * (Math.abs(y.estimate) + Math.sqrt(y.variance)) + 1e-12,
  )
  expect(Math.abs(x.variance - y.variance)).toBeLessThanOrEqual(1e-9 * y.variance + 1e-12)
  expect(x.coefficients.length > 0).toBe(y.coefficients.length > 0)
}
export const integers = (name: string, size: number) =>
  attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 })
