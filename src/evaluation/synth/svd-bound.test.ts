import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { singularSum, svdBound } from './svd-bound.ts'
import { symmetricEigenvalues } from './symmetric-eigenvalues.ts'

describe('eigenvalues of symmetric matrices', () => {
  const lower = (rows: readonly (readonly number[])[]) => rows.map((row, i) => Float64Array.from(row.slice(0, i + 1)))

  test('have the traces of the powers', () => {
    const entry = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(entry, { minLength: 64, maxLength: 64 }), (n, entries) => {
        const full = Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (_, j) => entries[Math.max(i, j) * 8 + Math.min(i, j)]!),
        )
        const values = symmetricEigenvalues(lower(full))
        let power = full
        for (let k = 1; k <= n; k++) {
          const trace = power.reduce((sum, row, i) => sum + row[i]!, 0)
          // n terms of at most (3n)^k each, and rounding.
          const size = n * (3 * n) ** k
          expect(Math.abs(values.reduce((sum, value) => sum + value ** k, 0) - trace) / size).toBeLessThan(1e-12)
          power = power.map((row) => full[0]!.map((_, j) => row.reduce((sum, x, t) => sum + x * full[t]![j]!, 0)))
        }
      }),
    )
  })

  test('of a path with n places are 2 cos(πk/(n+1))', () => {
    const n = 40
    const path = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => (Math.abs(i - j) === 1 ? 1 : 0)),
    )
    const values = symmetricEigenvalues(lower(path)).sort()
    values.forEach((value, k) => {
      expect(value).toBeCloseTo(-2 * Math.cos((Math.PI * (k + 1)) / (n + 1)), 12)
    })
  })
})

test('the SVD bound: single cells cost what they cost alone, and a repeated query is worth one', () => {
  const line = universe([attribute({ kind: 'integer', name: 'x', low: 0, high: 9, closed: true })])
  const range = (from: number, to: number): LinearQuery => ({
    by: [],
    terms: [{ coefficient: 1, factors: { x: { kind: 'interval', from, to } } }],
    step: rational(1),
  })
  const cells = Array.from({ length: 10 }, (_, i) => range(i, i))
  const price = (2 * Math.log(2 / 0.01)) / 0.5 ** 2
  expect(svdBound(cells, line, { epsilon: 0.5, delta: 0.01 })).toBeCloseTo(price, 9)
  // Both are orthogonal: √3 and √4.
  expect(singularSum([range(0, 2), range(3, 6)], line)).toBeCloseTo(Math.sqrt(3) + 2, 12)
  expect(singularSum([range(0, 2), range(0, 2)], line)).toBeCloseTo(Math.sqrt(6), 7)
})
