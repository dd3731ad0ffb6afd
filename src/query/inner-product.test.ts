import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../test/support/queries.ts'
import { rational, toNumber } from '../numeric/index.ts'
import { attribute, attributeNamed, type Universe, universe } from '../schema/index.ts'
import { innerProduct, type ProductPrior, productForm, projectionForm } from './inner-product.ts'
import { countAll, factorTable, type LinearQuery, marginal, weightAt } from './linear-query.ts'

/** Eq. 10 and 18, cell by cell, in steps. */
function byCells(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): number {
  let sum = 0
  for (const cell of cellsOf(u)) {
    let weight = 1
    cell.forEach((code, k) => {
      const law = prior.get(u.attributes[k]!.name)
      weight *= law ? law[code]! : 1 / u.attributes[k]!.size
    })
    sum += weight * weightAt(q1, u, cell) * weightAt(q2, u, cell)
  }
  return sum
}

const pair = (sizes?: readonly number[]) =>
  smallUniverse(4, sizes).chain((u) => fc.record({ u: fc.constant(u), q1: queryOver(u), q2: queryOver(u) }))

const priorOver = (u: Universe): fc.Arbitrary<ProductPrior> =>
  fc
    .record(
      Object.fromEntries(
        u.attributes.map((a) => [
          a.name,
          fc.array(fc.integer({ min: 1, max: 100 }), { minLength: a.size, maxLength: a.size }),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map(
      (all) =>
        new Map(
          Object.entries(all).map(([name, parts]) => {
            const total = parts!.reduce((s, p) => s + p, 0)
            return [name, Float64Array.from(parts!, (p) => p / total)]
          }),
        ),
    )

test('both forms are exact where every number is a short binary one', () => {
  fc.assert(
    fc.property(pair([1, 2, 4, 8]), ({ u, q1, q2 }) => {
      const sum = byCells(q1, q2, u, new Map())
      expect(productForm(q1, q2, u, new Map()) + 0).toBe(sum + 0)
      expect(projectionForm(q1, q2, u, new Map()) + 0).toBe(sum + 0)
    }),
    { numRuns: 400 },
  )
})

test('both forms agree with the cells under any prior', () => {
  const problem = pair().chain((p) => priorOver(p.u).map((prior) => ({ ...p, prior })))
  fc.assert(
    fc.property(problem, ({ u, q1, q2, prior }) => {
      const sum = byCells(q1, q2, u, prior)
      // Terms may cancel, so rounding is measured against what they add up to without signs: each of up to 625
      // additions loses 2^-53 of that, 7e-14 together; the products' few roundings come on top.
      const allowed = 1e-13 * byCells(positive(q1, u), positive(q2, u), u, prior)
      expect(Math.abs(productForm(q1, q2, u, prior) - sum)).toBeLessThanOrEqual(allowed)
      expect(Math.abs(projectionForm(q1, q2, u, prior) - sum)).toBeLessThanOrEqual(allowed)
      const steps = toNumber(q1.step) * toNumber(q2.step)
      expect(Math.abs(innerProduct(q1, q2, u, prior) - sum * steps)).toBeLessThanOrEqual(allowed * steps)
    }),
    { numRuns: 400 },
  )
})

/** Every number without its sign. */
const positive = (q: LinearQuery, u: Universe): LinearQuery => ({
  ...q,
  terms: q.terms.map(({ coefficient, factors }) => ({
    coefficient: Math.abs(coefficient),
    factors: Object.fromEntries(
      Object.entries(factors).map(([name, f]) => {
        const values = [...factorTable(f, attributeNamed(u, name).size)].map(Math.abs)
        return [name, { kind: 'table', values } as const]
      }),
    ),
  })),
})

const big = (count: number, size: number) =>
  universe(
    Array.from({ length: count }, (_, i) =>
      attribute({ kind: 'integer', name: `a${i}`, closed: true, low: 0, high: size - 1 }),
    ),
  )
const count = (factors: LinearQuery['terms'][0]['factors']): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors }],
})

describe('a universe of 10^240 cells', () => {
  const u = big(40, 1_000_000)
  const half = { kind: 'interval', from: 0, to: 499_999 } as const
  const quarter = { kind: 'interval', from: 250_000, to: 499_999 } as const

  test('COUNT(*) has norm 1', () => expect(innerProduct(countAll, countAll, u)).toBe(1))

  test('ranges multiply, attribute by attribute', () => {
    expect(innerProduct(count({ a0: half, a1: half }), count({ a0: quarter, a2: half }), u)).toBe(1 / 16)
    expect(innerProduct(count({ a0: half }), count({ a0: { ...half, from: 500_000, to: 600_000 } }), u)).toBe(0)
    const all = count(Object.fromEntries(u.attributes.map((a) => [a.name, half])))
    expect(innerProduct(all, all, u)).toBe(2 ** -40)
  })

  test('values and their squares, with steps', () => {
    const value = (power: 1 | 2) => ({ kind: 'value', slope: 1, shift: 0, power, from: 0, to: 999_999 }) as const
    const sum = { ...count({ a3: value(1) }), step: rational(1, 2) }
    expect(innerProduct(sum, countAll, u)).toBe(999_999 / 4)
    // Σ c⁴ / n for c below n is (n-1)(2n-1)(3n²-3n-1)/30; both sides are right to a few units in the last place.
    const n = 1_000_000
    const fourth = ((n - 1) * (2 * n - 1) * (3 * n * n - 3 * n - 1)) / 30
    const squares = count({ a3: value(2) })
    expect(Math.abs(innerProduct(squares, squares, u) / fourth - 1)).toBeLessThan(1e-15 * 8)
  })

  test('ten thousand terms over one attribute meet in a table', () => {
    const codes = attribute({ kind: 'integer', name: 'code', closed: true, low: 0, high: 9_999 })
    const wide = universe([codes, ...u.attributes])
    const each = (factors: LinearQuery['terms'][0]['factors']) => ({
      ...countAll,
      terms: Array.from({ length: 10_000 }, (_, i) => ({
        coefficient: i,
        factors: { code: { kind: 'set', codes: [i] } as const, ...factors },
      })),
    })
    // Σ i²/10,000 for i below 10,000, halved twice: two roundings at most, below 2^-27 each.
    const found = innerProduct(each({ a6: half }), each({ a7: half }), wide) * 4
    expect(Math.abs(found - (9_999 * 19_999) / 6)).toBeLessThan(2 ** -26)
  })
})

test('groups and priors of the wrong length are refused', () => {
  const u = big(2, 3)
  expect(() => innerProduct(marginal(['a0']), countAll, u)).toThrow('without groups')
  expect(() => innerProduct(countAll, countAll, u, new Map([['a0', Float64Array.of(1)]]))).toThrow(
    'one number per code',
  )
  expect(() => innerProduct(countAll, countAll, u, new Map([['b', Float64Array.of(1)]]))).toThrow('no attribute "b"')
})
