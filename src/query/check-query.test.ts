import { describe, expect, test } from 'vitest'
import { one, rational } from '../numeric/index.ts'
import { attribute, universe } from '../schema/index.ts'
import { checkQuery, countAll, type Factor, type LinearQuery, marginal } from './linear-query.ts'

const integer = (name: string, size: number) =>
  attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 })
const u = universe([integer('a', 5), integer('b', 3), integer('big', 2 ** 24 - 2)])

const over = (f: unknown, coefficient = 1): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient, factors: { a: f as Factor } }],
})
const by = (...groups: unknown[]): LinearQuery => ({
  ...countAll,
  by: [{ attribute: 'a', groups }] as LinearQuery['by'],
})
const value = { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 4 }
const safe = Number.MAX_SAFE_INTEGER

describe('refused', () => {
  test.each<[string, LinearQuery, string]>([
    ['no step', { ...countAll, step: rational(0) }, 'positive step'],
    ['a negative step', { ...countAll, step: { num: 1n, den: -1n } }, 'positive step'],
    ['an unknown attribute', { ...countAll, by: [{ attribute: 'c' }] }, 'no attribute "c"'],
    [
      'an unknown factor',
      { ...countAll, terms: [{ coefficient: 1, factors: { c: { kind: 'set', codes: [] } } }] },
      'no attribute "c"',
    ],
    ['an axis twice', marginal(['a', 'b', 'a']), 'a is grouped by twice'],
    ['groups that overlap', by({ kind: 'interval', from: 0, to: 2 }, { kind: 'set', codes: [2] }), 'overlap'],
    ['a group that counts values', by(value), 'a group must be a set or an interval'],
    ['an answer beyond memory', marginal(['a', 'big']), 'more than 67108864 cells'],
    ['another kind', over({ kind: 'function', from: 0, to: 1 }), 'a factor is an interval'],
    ['codes out of order', over({ kind: 'set', codes: [1, 0] }), 'not ascending'],
    ['a code twice', over({ kind: 'set', codes: [1, 1] }), 'not ascending'],
    ['a code too high', over({ kind: 'set', codes: [5] }), 'leaves the domain'],
    ['half a code', over({ kind: 'set', codes: [0.5] }), 'leaves the domain'],
    ['an interval upside down', over({ kind: 'interval', from: 2, to: 1 }), 'empty or leaves'],
    ['an interval too long', over({ kind: 'interval', from: 0, to: 5 }), 'empty or leaves'],
    ['a table too short', over({ kind: 'table', values: [1] }), 'one integer per code'],
    ['fractions', over({ kind: 'table', values: [0.5, 0, 0, 0, 0] }), 'one integer per code'],
    ['NaN', over({ kind: 'table', values: [Number.NaN, 0, 0, 0, 0] }), 'one integer per code'],
    ['a cube', over({ ...value, power: 3 }), 'power of 1 or 2'],
    ['half a slope', over({ ...value, slope: 0.5 }), 'needs integers'],
    [
      'parts beyond 2^53 that cancel',
      over({ ...value, slope: (safe - 1) / 2, shift: 1 - safe, from: 4 }),
      'below 2^53',
    ],
    ['half a coefficient', over(value, 0.5), 'coefficients must be integers'],
    ['a weight beyond 2^53', over(value, 2 ** 52), 'beyond 2^53 steps'],
    [
      'terms beyond 2^53 together',
      { ...countAll, terms: Array(3).fill({ coefficient: 2 ** 52, factors: {} }) },
      'beyond 2^53 steps',
    ],
    [
      'a huge product that 0 hides',
      {
        ...countAll,
        terms: [
          {
            coefficient: safe,
            factors: { a: { kind: 'table', values: [9, 9, 9, 9, 9] }, b: { kind: 'table', values: [0, 0, 0] } },
          },
        ],
      },
      'beyond 2^53 steps',
    ],
  ])('%s', (_, q, message) => expect(() => checkQuery(q, u)).toThrow(message))
})

test('accepted: nothing, empty sets, the largest weight', () => {
  for (const q of [
    { by: [], terms: [], step: one },
    over({ kind: 'set', codes: [] }),
    by(),
    over({ kind: 'table', values: [safe, 0, 0, 0, -safe] }),
    over({ ...value, slope: -3, shift: 5, power: 2 }),
  ]) {
    expect(() => checkQuery(q, u)).not.toThrow()
  }
})
