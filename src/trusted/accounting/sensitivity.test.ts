import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { one } from '../../numeric/index.ts'
import { countAll, type Factor, groupOf, type LinearQuery, marginal, type Term, weightAt } from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { range, sensitivity } from './sensitivity.ts'

const integers = (...sizes: number[]): Universe =>
  universe(sizes.map((n, i) => attribute({ kind: 'integer', name: 'abc'[i]!, closed: true, low: 0, high: n - 1 })))
const sum = (...terms: Term[]): LinearQuery => ({ by: [], terms, step: one })
const term = (coefficient: number, factors: { [name: string]: Factor }): Term => ({ coefficient, factors })

const cases = smallUniverse(3).chain((u) => fc.record({ u: fc.constant(u), query: queryOver(u, 'grouped') }))

/** The L1 distance between the answers for one record in one cell and one record in another. */
function distance(q: LinearQuery, u: Universe, s: number[], t: number[]): number {
  const [v, w] = [weightAt(q, u, s), weightAt(q, u, t)]
  const same = q.by.every((g) => {
    const a = u.index.get(g.attribute)!
    return groupOf(g, s[a]!) === groupOf(g, t[a]!)
  })
  return same ? Math.abs(v - w) : Math.abs(v) + Math.abs(w)
}

describe('sensitivity and range against every cell', () => {
  test('sensitivity is the largest |w|', () => {
    fc.assert(
      fc.property(cases, ({ u, query }) => {
        const most = Math.max(...[...cellsOf(u)].map((cell) => Math.abs(weightAt(query, u, cell))))
        expect(sensitivity(query, u)).toBe(most)
      }),
      { numRuns: 500 },
    )
  })

  test('range covers every pair of cells, never beyond twice the sensitivity, and is exact for scalars', () => {
    fc.assert(
      fc.property(cases, ({ u, query }) => {
        const cells = [...cellsOf(u)]
        const most = Math.max(...cells.flatMap((s) => cells.map((t) => distance(query, u, s, t))))
        const found = range(query, u)
        expect(found).toBeGreaterThanOrEqual(most)
        expect(found).toBeLessThanOrEqual(2 * sensitivity(query, u))
        if (query.by.length === 0) expect(found).toBe(most)
      }),
      { numRuns: 300 },
    )
  })
})

describe('known values', () => {
  const u = integers(4, 3, 1)
  const within = { kind: 'interval', from: 1, to: 2 } as const
  test('a full marginal: 1 and 2; COUNT(*): 1 and 0', () => {
    expect([sensitivity(marginal(['a', 'b']), u), range(marginal(['a', 'b']), u)]).toEqual([1, 2])
    expect([sensitivity(countAll, u), range(countAll, u)]).toEqual([1, 0])
  })
  test('a marginal over an attribute of one code is COUNT(*)', () => {
    expect(range(marginal(['c']), u)).toBe(0)
  })
  test('one live group is a scalar; two make a pair', () => {
    const filtered = (f: Factor): LinearQuery => ({ ...sum(term(1, { a: f })), by: [{ attribute: 'a' }] })
    expect(range(filtered({ kind: 'set', codes: [2] }), u)).toBe(1)
    expect(range(filtered(within), u)).toBe(2)
  })
  test('terms that cancel, empty sets and no terms at all weigh nothing', () => {
    expect(sensitivity(sum(term(5, { a: within }), term(-5, { a: within })), u)).toBe(0)
    expect(sensitivity(sum(term(5, { a: { kind: 'set', codes: [] } })), u)).toBe(0)
    expect([sensitivity(sum(), u), range(sum(), u)]).toEqual([0, 0])
  })
  test('weights next to 2^53 keep their last digit, and ranges beyond are rounded up', () => {
    const most = Number.MAX_SAFE_INTEGER
    const q = sum(term(1, { a: { kind: 'table', values: [most, 0, 1 - most, 0] } }))
    expect(sensitivity(q, u)).toBe(most)
    expect(BigInt(range(q, u))).toBeGreaterThanOrEqual(2n * BigInt(most) - 1n)
  })
  test('what could leave the exact integers on the way is refused, even where it cancels or meets a 0', () => {
    const huge = { kind: 'table', values: [2 ** 52, 1, 1, 1] } as const
    expect(() => sensitivity(sum(term(2 ** 52, { b: { kind: 'set', codes: [] }, a: huge })), u)).toThrow(/2\^53/)
    // 3·slope = 2^53 + 1 rounds down: in doubles the weight would be 1, in the database it is 2.
    const slope = 3_002_399_751_580_331
    const value = { kind: 'value', slope, shift: -Number.MAX_SAFE_INTEGER, power: 1, from: 3, to: 3 } as const
    expect(() => sensitivity(sum(term(1, { a: value })), u)).toThrow(/2\^53/)
  })
})

describe('domains of a million codes', () => {
  const u = integers(2 ** 20, 2)
  const value = { kind: 'value', slope: 1, shift: -(2 ** 19), power: 1, from: 0, to: 2 ** 20 - 1 } as const
  test('a sum over an OR of disjoint terms is exact', () => {
    const q = sum(
      term(1, { a: value, b: { kind: 'set', codes: [0] } }),
      term(1, { a: value, b: { kind: 'set', codes: [1] } }),
    )
    expect(sensitivity(q, u)).toBe(2 ** 19)
    expect(range(q, u)).toBe(2 ** 20 - 1)
  })
  test('x² - x in two terms is bounded from above, within the width of a class', () => {
    const q = sum(term(1, { a: { ...value, power: 2 } }), term(-1, { a: value }))
    const truth = 2 ** 38 + 2 ** 19
    expect(sensitivity(q, u)).toBeGreaterThanOrEqual(truth)
    expect(sensitivity(q, u)).toBeLessThanOrEqual(truth + 2 ** 11)
  })
})
