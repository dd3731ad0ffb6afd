import { expect, test } from 'vitest'
import { bestLevel, samplingDistance } from './scores.ts'
import { oneWayShare } from './shares.ts'

test('the distance that sampling alone makes is that of the Poisson law', () => {
  for (const mean of [0, 0.01, 0.3, 0.5, 0.7, 1, 2.5, 9, 29.4, 31, 400]) {
    let expected = 0
    let log = -mean
    for (let k = 0; k < 2000; k++) {
      expected += Math.abs(k - Math.round(mean)) * Math.exp(log)
      log += Math.log(mean) - Math.log(k + 1)
    }
    if (mean === 0) expected = 0
    // Above 30 the limit is taken: its next term is 1/12μ of it, and a mean that is not whole adds as little.
    expect(Math.abs(samplingDistance(Float64Array.of(mean)) - expected)).toBeLessThan(
      mean > 30 ? expected / mean : 1e-9,
    )
  }
  expect(samplingDistance(Float64Array.of(1, 1, 1))).toBeCloseTo(3 * samplingDistance(Float64Array.of(1)), 12)
})

test('a pair is as fine as its dependence is worth the noise', () => {
  const noise = { deviation: 10, usualCells: 100, exponent: 1 / 3 }
  const levels = (...dependence: readonly number[]) =>
    [1000, 100, 10].map((cells, l) => ({ cells, dependence: dependence[l]! }))
  expect(bestLevel(levels(9000, 2000, 1000), noise)).toBe(0)
  expect(bestLevel(levels(3000, 2900, 1000), noise)).toBe(1)
  expect(bestLevel(levels(300, 250, 200), noise)).toBe(2)
  expect(bestLevel(levels(-50, -20, -10), noise)).toBe(2)
})

test('the share of one-way marginals is the best of all, within its limits', () => {
  const [sizes, groups] = [
    [85, 9, 100, 2, 40],
    [29, 9, 29, 2, 29],
  ]
  for (const power of [1 / 2, 2 / 3]) {
    // From the definition: each table gets a part ∝ size^p of its stage, and its noise is ∝ part^-(1/p - 1).
    const noise = (tables: readonly number[], share: number) => {
      const sum = tables.reduce((total, size) => total + size ** power, 0)
      const each = (size: number) => size * ((share * size ** power) / sum) ** -(1 / power - 1)
      return tables.reduce((total, size) => total + each(size), 0) / tables.length
    }
    const cells = groups.flatMap((a, i) => groups.slice(i + 1).map((b) => a * b))
    const error = (share: number) => 2 * noise(sizes, share) + 0.3 * noise(cells, 1 - share)
    const found = oneWayShare(sizes, groups, power)
    for (const other of [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, found - 0.01, found + 0.01])
      expect(error(found)).toBeLessThanOrEqual(error(other))
  }
  expect(oneWayShare([10_000, 10_000], [2, 2], 2 / 3)).toBe(0.8)
})
