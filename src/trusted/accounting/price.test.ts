import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { one, rational, zero } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal, type NoiseLaw } from '../../query/index.ts'
import { attribute, type Privacy, universe } from '../../schema/index.ts'
import { isPublic, price, scaleFor } from './price.ts'
import { chargeUnits } from './units.ts'

const u = universe(['a', 'b'].map((name) => attribute({ kind: 'integer', name, closed: true, low: 0, high: 9 })))
type Relation = Pick<Privacy, 'unit' | 'neighbours'>
const rows = (k: number): Privacy['unit'] => (k === 1 ? { kind: 'row' } : { kind: 'column', column: 'person', rows: k })
const addRemove = { universe: u, privacy: { unit: rows(1), neighbours: 'add-remove' } as Relation }
const replaceOne = { universe: u, privacy: { unit: rows(1), neighbours: 'replace-one' } as Relation }
const laplace = (num: number, den = 1): NoiseLaw => ({ kind: 'laplace', scale: rational(num, den) })
const narrow: LinearQuery = {
  ...countAll,
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 3 } } }],
}

describe('price', () => {
  test('add-remove: sensitivity over scale, rounded up to units', () => {
    expect(price({ kind: 'measurement', query: narrow, law: laplace(10) }, addRemove)).toBe(1e11)
    expect(price({ kind: 'measurement', query: narrow, law: laplace(3) }, addRemove)).toBe(333_333_333_334)
    expect(price({ kind: 'measurement', query: marginal(['a', 'b']), law: laplace(10) }, addRemove)).toBe(1e11)
  })
  test('replace-one: a range query costs 1/b, a marginal 2/b, COUNT(*) nothing', () => {
    expect(price({ kind: 'measurement', query: narrow, law: laplace(10) }, replaceOne)).toBe(1e11)
    expect(price({ kind: 'measurement', query: marginal(['a']), law: laplace(10) }, replaceOne)).toBe(2e11)
    expect(price({ kind: 'measurement', query: countAll, law: laplace(10) }, replaceOne)).toBe(0)
  })
  test('a unit of k rows costs k times as much', () => {
    const person = { universe: u, privacy: { unit: rows(4), neighbours: 'add-remove' } as Relation }
    expect(price({ kind: 'measurement', query: narrow, law: laplace(3) }, person)).toBe(chargeUnits(rational(4, 3)))
  })
  test('replacing a person may change the number of rows: not even COUNT(*) is public', () => {
    const person = { universe: u, privacy: { unit: rows(4), neighbours: 'replace-one' } as Relation }
    expect(isPublic(countAll, person)).toBe(false)
    expect(price({ kind: 'measurement', query: countAll, law: laplace(10) }, person)).toBe(8e11)
  })
  test('without noise: only what is public, and then free', () => {
    const law: NoiseLaw = { kind: 'none' }
    expect(price({ kind: 'measurement', query: countAll, law }, replaceOne)).toBe(0)
    expect(() => price({ kind: 'measurement', query: countAll, law }, addRemove)).toThrow(
      expect.objectContaining({ code: 'scale-invalid' }),
    )
    expect(() => price({ kind: 'measurement', query: narrow, law }, replaceOne)).toThrow(
      expect.objectContaining({ code: 'scale-invalid' }),
    )
  })
  test('Gaussian noise has no finite ε', () => {
    const law: NoiseLaw = { kind: 'gaussian', variance: rational(100) }
    expect(price({ kind: 'measurement', query: narrow, law }, addRemove)).toBe(Number.POSITIVE_INFINITY)
  })
  test.each([laplace(0), laplace(-1), { kind: 'gaussian', variance: zero } as NoiseLaw])('refuses %o', (law) => {
    expect(() => price({ kind: 'measurement', query: narrow, law }, addRemove)).toThrow(
      expect.objectContaining({ code: 'scale-invalid' }),
    )
  })
})

describe('scaleFor', () => {
  const cases = smallUniverse(3).chain((universe) =>
    fc.record({
      query: queryOver(universe, 'grouped'),
      epsilon: fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }))
        .map(([n, d]) => rational(n, d)),
      terms: fc.record({
        universe: fc.constant(universe),
        privacy: fc.record({
          unit: fc.integer({ min: 1, max: 3 }).map(rows),
          neighbours: fc.constantFrom('add-remove' as const, 'replace-one' as const),
        }),
      }),
    }),
  )
  test('the price at that scale is ε to the unit, or nothing where nothing can move', () => {
    fc.assert(
      fc.property(cases, ({ query, epsilon, terms }) => {
        const scale = scaleFor(query, epsilon, terms)
        const units = price({ kind: 'measurement', query, law: { kind: 'laplace', scale } }, terms)
        expect([0, chargeUnits(epsilon)]).toContain(units)
        if (units === 0)
          expect(price({ kind: 'measurement', query, law: { kind: 'laplace', scale: rational(1, 1000) } }, terms)).toBe(
            0,
          )
      }),
      { numRuns: 300 },
    )
  })
  test('ε must be above 0; a query that nobody can move gets scale 1', () => {
    expect(() => scaleFor(narrow, zero, addRemove)).toThrow(expect.objectContaining({ code: 'scale-invalid' }))
    expect(scaleFor(countAll, one, replaceOne)).toEqual(one)
  })
})
