import { describe, expect, test } from 'vitest'
import { integers } from '../../../test/support/estimates.ts'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginal, type NoiseLaw } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { fitKernel } from '../kernel/fit.ts'
import { fitMaxent } from '../maxent/fit.ts'
import { fitHistoryMixture } from '../mixture/fit.ts'
import { refuseContradiction } from './public-records.ts'

const u = universe([integers('a', 4), integers('b', 2)])
const records = 1000
const laplace: NoiseLaw = { kind: 'laplace', scale: rational(5) }
const filtered: LinearQuery = {
  by: [{ attribute: 'a' }],
  terms: [{ coefficient: 1, factors: { b: { kind: 'set', codes: [1] } } }],
  step: one,
}
const sumOfA: LinearQuery = {
  by: [],
  terms: [{ coefficient: 1, factors: { a: { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 3 } } }],
  step: one,
}
const answer = (query: LinearQuery, values: readonly number[], law = laplace): Measurement => ({
  id: '1.0',
  query,
  law,
  values: Float64Array.from(values),
})
const isRefused = (...measurements: Measurement[]): boolean => {
  try {
    refuseContradiction({ measurements, records })
    return false
  } catch {
    return true
  }
}

test('a whole table adds up to the public number of records, any other count to no more', () => {
  expect(isRefused(answer(marginal(['a']), [250, 240, 260, 255]))).toBe(false)
  expect(isRefused(answer(marginal(['a']), [250, 240, 260, 1255]))).toBe(true)
  expect(isRefused(answer(marginal(['a']), [1, 2, 3, 4]))).toBe(true)
  expect(isRefused(answer(filtered, [1, 2, 3, 4]))).toBe(false)
  expect(isRefused(answer(filtered, [1, 2, 3, 2000]))).toBe(true)
  expect(isRefused(answer({ ...filtered, by: [] }, [2000]))).toBe(true)
  expect(isRefused(answer(filtered, [1, 2, 3, 4]), answer(marginal([]), [2000]))).toBe(true)
})

test('a sum, and a count with more noise, may be larger', () => {
  expect(isRefused(answer(sumOfA, [2900]))).toBe(false)
  expect(isRefused(answer(filtered, [1, 2, 3, 2000], { kind: 'laplace', scale: rational(100) }))).toBe(false)
})

describe('by chance a table is refused less than once in 10²⁰ times', () => {
  /** By how much a table of so many groups may exceed the number of records: by bisection. */
  function most(groups: number, law: NoiseLaw): number {
    const values = new Float64Array(groups)
    let [low, high] = [0, 1e9]
    while (high - low > 1) {
      const middle = (low + high) / 2
      values[0] = records + middle
      if (isRefused({ id: '1.0', query: filtered, law, values })) high = middle
      else low = middle
    }
    return low
  }
  /** A bound on the chance that as many noises add up to more: E exp(s·noise)^groups / exp(s·total), at the best of many s. */
  function chance(groups: number, total: number, logMean: (s: number) => number, largest: number): number {
    const logs = Array.from({ length: 999 }, (_, i) => (largest * (i + 1)) / 1000).map(
      (s) => groups * logMean(s) - s * total,
    )
    return Math.exp(Math.min(...logs))
  }
  test.each([1, 2, 4, 30, 1000, 100_000])('%i groups', (groups) => {
    for (const scale of [1, 40]) {
      const law: NoiseLaw = { kind: 'laplace', scale: rational(scale) }
      const cosh = Math.cosh(1 / scale)
      const logMean = (s: number) => Math.log((cosh - 1) / (cosh - Math.cosh(s)))
      expect(chance(groups, most(groups, law), logMean, 1 / scale)).toBeLessThan(0.5e-20)
      const deviation = Math.sqrt(groups * 100)
      const total = most(groups, { kind: 'gaussian', variance: rational(100) })
      expect(chance(groups, total, (s) => 50 * s * s, 20 / deviation)).toBeLessThan(0.5e-20)
    }
  })
  test('which ten deviations of one Laplace noise would not do', () => {
    // P(noise > 10·b√2) = e^(-14.1)/2.
    expect(most(1, laplace)).toBeGreaterThan(2 * 10 * 5 * Math.SQRT2)
  })
})

test.each([
  ['kernel', async (past: Parameters<typeof fitKernel>[0]) => fitKernel(past, { random: seededBits(1).uniform })],
  ['maxent', (past: Parameters<typeof fitMaxent>[0]) => fitMaxent(past, { random: seededBits(1).uniform })],
  ['mixture', (past: Parameters<typeof fitMaxent>[0]) => fitHistoryMixture(past, { random: seededBits(1).uniform })],
] as const)('%s is not fitted to a table of more records than there are', async (_, fitted) => {
  const past = (last: number) => ({
    universe: u,
    measurements: [answer(marginal(['a']), [250, 240, 260, last])],
    records,
  })
  await expect(fitted(past(1255))).rejects.toThrow('differs from the public number of records')
  await expect(fitted(past(255))).resolves.toBeDefined()
})
