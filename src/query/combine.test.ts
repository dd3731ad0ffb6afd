import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../test/support/queries.ts'
import { add, multiply, type Rational, rational, zero } from '../numeric/index.ts'
import type { Universe } from '../schema/index.ts'
import { combine } from './combine.ts'
import { countAll, type LinearQuery, marginal, weightAt } from './linear-query.ts'

const valueAt = (q: LinearQuery, u: Universe, cell: number[]): Rational =>
  multiply(q.step, rational(weightAt(q, u, cell)))
const fraction = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .map(([n, d]) => rational(n, d))
const count = (coefficient: number, code: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient, factors: { a: { kind: 'interval', from: code, to: code } } }],
})

test('at every cell the combination is the combination of the weights, in lowest terms', () => {
  const problem = smallUniverse(3).chain((u) =>
    fc.record({
      u: fc.constant(u),
      parts: queryOver(u, 'grouped').chain((first) => {
        const others = queryOver(u).map((q) => ({ ...q, by: first.by }))
        return fc
          .array(others, { maxLength: 3 })
          .chain((more) =>
            fc.tuple(...[first, ...more].map((query) => fc.record({ query: fc.constant(query), times: fraction }))),
          )
      }),
    }),
  )
  fc.assert(
    fc.property(problem, ({ u, parts }) => {
      const combined = combine(parts)
      for (const cell of cellsOf(u)) {
        const expected = parts.reduce((sum, p) => add(sum, multiply(p.times, valueAt(p.query, u, cell))), zero)
        expect(valueAt(combined, u, cell)).toEqual(expected)
      }
      expect(combined.by).toEqual(parts[0]!.query.by)
      expect(combined.terms.every((t) => t.coefficient !== 0)).toBe(true)
      expect(new Set(combined.terms.map((t) => JSON.stringify(Object.entries(t.factors).sort()))).size).toBe(
        combined.terms.length,
      )
      expect(combined.terms.reduce((g, t) => gcd(g, Math.abs(t.coefficient)), 0)).toBeLessThanOrEqual(1)
      expect(combined.step.num > 0n).toBe(true)
    }),
    { numRuns: 200 },
  )
})
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

test('one step, one sign, nothing in common', () => {
  const q = combine([
    { query: count(4, 0), times: rational(1, 2) },
    { query: count(6, 1), times: rational(-1, 3) },
  ])
  expect(q.step).toEqual(rational(2))
  expect(q.terms.map((t) => t.coefficient)).toEqual([1, -1])
})

test('equal terms merge and may cancel', () => {
  const twice = combine([
    { query: count(1, 0), times: rational(1) },
    { query: count(2, 0), times: rational(1) },
  ])
  expect(twice).toEqual({ ...count(1, 0), step: rational(3) })
  const none = combine([
    { query: count(1, 0), times: rational(1) },
    { query: count(1, 0), times: rational(-1) },
  ])
  expect(none).toEqual({ by: [], terms: [], step: rational(1) })
  expect(combine([])).toEqual(none)
})

test('different groups and coefficients beyond 2^53 are refused', () => {
  expect(() => combine([marginal(['a']), countAll].map((query) => ({ query, times: rational(1) })))).toThrow(
    'different groups',
  )
  const far = [
    { query: count(1, 0), times: rational(1, 2n ** 60n) },
    { query: count(1, 1), times: rational(1) },
  ]
  expect(() => combine(far)).toThrow('beyond 2^53')
})
