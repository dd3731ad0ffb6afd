import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mean } from '../../numeric/index.ts'
import { seededBits } from '../seeded.ts'
import { oracle, oracleScales } from './oracle.ts'
import { errorOfZeros, meanReciprocal, overallError } from './overall-error.ts'
import { proportionalScales } from './proportional.ts'

/**
 * Of marginals, one scale per cell, where a record is replaced: in each marginal it may move from the cell with the least
 * noise to the one with the second least. Exact for marginals of one attribute, else a bound: no record need be in all of
 * these cells.
 */
const sensitivityOfMarginals =
  (sizes: readonly number[]) =>
  (scales: readonly number[]): number => {
    let from = 0
    let sum = 0
    for (const size of sizes) {
      const [least, second] = scales.slice(from, from + size).toSorted((a, b) => a - b)
      sum += 1 / least! + (second === undefined ? 0 : 1 / second)
      from += size
    }
    return sum
  }

const tables = fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })
const expected = (exact: readonly Float64Array[], scales: readonly number[], floor: number) =>
  mean(scales.map((scale, m) => scale * meanReciprocal(exact[m]!, floor)))

test('Definition 6 by hand: a mean over marginals of means over cells', () => {
  const exact = [Float64Array.of(10, 1), Float64Array.of(100, 0, 4, 0)]
  const noisy = [
    [12, -1],
    [90, 2, 4, -2],
  ]
  // (2/10 + 2/5)/2 and (10/100 + 2/5 + 0 + 2/5)/4.
  expect(overallError(exact, noisy, 5)).toBeCloseTo((0.3 + 0.225) / 2, 14)
  // A count of 10 is missed by all of it, one of 1 by a fifth of the floor.
  expect(errorOfZeros(exact, 5)).toBeCloseTo(((1 + 0.2) / 2 + (1 + 0 + 0.8 + 0) / 4) / 2, 14)
})

test('Oracle (§5.2) spends ε, and no other scales of that price have a smaller expected error', () => {
  fc.assert(
    fc.property(tables, fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 5 }), (counts, shifts) => {
      const exact = counts.map((cells) => Float64Array.from(cells))
      const options = { epsilon: 0.3, floor: 3, unitPrice: 2 }
      const scales = oracleScales(exact, options)
      const price = (of: readonly number[]) => of.reduce((sum, scale) => sum + 2 / scale, 0)
      expect(price(scales)).toBeCloseTo(0.3, 12)
      const other = scales.map((scale, m) => scale * Math.exp(shifts[m]!))
      const fair = other.map((scale) => (scale * price(other)) / 0.3)
      // Doubles: sums of a few terms.
      expect(expected(exact, scales, 3)).toBeLessThanOrEqual(expected(exact, fair, 3) * (1 + 1e-12))
    }),
  )
})

test('the noise of Oracle has the expected error of its scales', () => {
  const exact = [Float64Array.of(500, 20, 3, 0), Float64Array.of(261, 262)]
  const options = { epsilon: 0.1, floor: 5, unitPrice: 2 }
  const bits = seededBits(7)
  const runs = 4000
  const errors = Array.from({ length: runs }, () => overallError(exact, oracle(exact, options, bits), 5))
  const spread = Math.sqrt(mean(errors.map((e) => e * e)) - mean(errors) ** 2)
  const want = expected(exact, oracleScales(exact, options), 5)
  // Mean of independent runs; 4.89 standard deviations: one false alarm in 10^6. The discrete law's mean |noise| is below
  // its scale by 1/6 of its inverse, here less than 10^-3 of it.
  const tolerance = (4.89 * spread) / Math.sqrt(runs) + 1e-3 * want
  expect(Math.abs(mean(errors) - want)).toBeLessThan(tolerance)
  expect(Math.abs(mean(errors) - 1.1 * want)).toBeGreaterThan(tolerance)
})

test('Proportional (§3.1), Example 1: c = 7/10 and 6/5', () => {
  const sensitivity = (scales: readonly number[]) => scales.reduce((sum, scale) => sum + 1 / scale, 0)
  const scalesOf = (exact: number[]) => proportionalScales(exact, { floor: 1, epsilon: 1, sensitivity })
  const closeTo = (values: number[]) => values.map((value) => expect.closeTo(value, 14))
  expect(scalesOf([2, 5])).toEqual(closeTo([1.4, 3.5]))
  expect(scalesOf([1, 5])).toEqual(closeTo([1.2, 6]))
})

test('Proportional over marginals gives every cell the same expected relative error, for ε', () => {
  const exact = [500, 20, 3, 0, 261, 262]
  const sensitivity = sensitivityOfMarginals([4, 2])
  const scales = proportionalScales(exact, { floor: 5, epsilon: 0.5, sensitivity })
  const relative = scales.map((scale, i) => scale / Math.max(5, exact[i]!))
  for (const error of relative) expect(error).toBeCloseTo(relative[0]!, 12)
  expect(sensitivity(scales)).toBeCloseTo(0.5, 12)
  // By trying every replacement: from one cell to another in each marginal.
  const inverse = scales.map((scale) => 1 / scale)
  const moves = (from: number, to: number) =>
    Math.max(...range(from, to).flatMap((a) => range(from, to).map((b) => (a === b ? 0 : inverse[a]! + inverse[b]!))))
  expect(sensitivity(scales)).toBeCloseTo(moves(0, 4) + moves(4, 6), 12)
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
