import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countAll, type LinearQuery, marginal } from '../../../../query/index.ts'
import { attribute, universe } from '../../../../schema/index.ts'
import { contract } from './contract.ts'
import { isRange, Ranges } from './ranges.ts'

const sizes = [5, 1, 4, 3]
const u = universe(sizes.map((n, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: n, closed: true })))
const box = fc
  .subarray([0, 1, 2, 3])
  .chain((axes) => fc.tuple(...axes.map((a) => fc.tuple(fc.constant(a), fc.nat(sizes[a]! - 1), fc.nat(sizes[a]! - 1)))))
  .map((sides) =>
    Object.fromEntries(
      sides.map(([a, x, y]) => [`a${a}`, { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) } as const]),
    ),
  )
const range = fc
  .array(fc.record({ coefficient: fc.integer({ min: -3, max: 3 }), factors: box }), { maxLength: 3 })
  .map((terms): LinearQuery => ({ ...countAll, terms }))

test('a range by its corners is what a contraction gives', () => {
  const cells = sizes.reduce((n, size) => n * size, 1)
  fc.assert(
    fc.property(fc.array(fc.nat(99), { minLength: cells, maxLength: cells }), range, (counts, query) => {
      const histogram = { attributes: [0, 1, 2, 3], sizes, counts: Float64Array.from(counts) }
      expect(isRange(query)).toBe(true)
      // No zero has a sign here: it would stand for nothing.
      expect(new Ranges(histogram, u).answer(query)[0]! + 0).toBe((contract(query, histogram, u)[0] as number) + 0)
    }),
  )
})

test('what has groups, weights or numbers too large for doubles is no range', () => {
  const factors = { a0: { kind: 'interval', from: 0, to: 1 } } as const
  expect(isRange({ ...countAll, terms: [{ coefficient: 1, factors }] })).toBe(true)
  expect(isRange(marginal(['a0']))).toBe(false)
  expect(isRange({ ...countAll, terms: [{ coefficient: 2 ** 40, factors }] })).toBe(false)
  expect(isRange({ ...countAll, terms: [{ coefficient: 1, factors: { a0: { kind: 'set', codes: [1] } } }] })).toBe(
    false,
  )
})
