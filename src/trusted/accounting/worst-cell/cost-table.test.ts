import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factor } from '../../../../test/support/queries.ts'
import { one, rational } from '../../../numeric/index.ts'
import type { Factor, LinearQuery } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { type CostTable, costAt, costTable } from './cost-table.ts'
import { sumTables } from './sum-tables.ts'

const size = 700
const u = universe(
  ['a', 'b', 'c', 'd'].map((name) => attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 })),
)
const terms = { universe: u, privacy: { unit: { kind: 'row' }, neighbours: 'add-remove' } } as const
const names = u.attributes.map((a) => a.name)

/** Beyond what a table holds exactly: values and tables of many codes on several attributes at once. */
const wide: fc.Arbitrary<Factor> = fc.oneof(
  factor(size).filter((f) => f.kind !== 'value' || f.power === 1),
  fc.record({ slope: fc.integer({ min: -3, max: 3 }), shift: fc.integer({ min: -900, max: 900 }) }).map((f) => ({
    kind: 'value' as const,
    ...f,
    power: 1 as const,
    from: 3,
    to: size - 1,
  })),
)
const query: fc.Arbitrary<LinearQuery> = fc
  .array(
    fc.record({
      coefficient: fc.integer({ min: -3, max: 3 }),
      factors: fc.record(Object.fromEntries(names.map((n) => [n, wide])), { requiredKeys: ['a', 'b'] }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map(
    (all) =>
      ({
        by: [{ attribute: 'c', groups: [{ kind: 'interval', from: 10, to: 400 }] }],
        terms: all,
        step: one,
      }) as LinearQuery,
  )
const cell = fc.tuple(...names.map(() => fc.nat(size - 1)))

/** The entry for a cell, class by class. */
function entry(table: CostTable, codes: readonly number[]): number {
  const at = table.attributes.reduce((place, a, axis) => {
    const { starts, labels, count } = table.partitions[axis]!
    return place * count + labels[starts.findLastIndex((start) => start <= codes[a]!)]!
  }, 0)
  return table.units[at]!
}

test('a table that had to be coarsened charges every cell at least its cost', () => {
  let coarse = 0
  fc.assert(
    fc.property(query, fc.array(cell, { minLength: 20, maxLength: 40 }), (q, cells) => {
      const charge = {
        kind: 'measurement' as const,
        query: q,
        law: { kind: 'laplace' as const, scale: rational(10 ** 9) },
      }
      const table = costTable(charge, terms)
      expect(table.units.length).toBeLessThanOrEqual(2 ** 14)
      for (const codes of cells) {
        expect(entry(table, codes)).toBeGreaterThanOrEqual(costAt(charge, codes, terms))
        if (entry(table, codes) > costAt(charge, codes, terms)) coarse++
      }
    }),
    { numRuns: 60, seed: 1 },
  )
  expect(coarse).toBeGreaterThan(0)
})

test('the sum of two tables is the sum in every cell, also when one has fewer attributes', () => {
  const charge = (factors: { [name: string]: Factor }) =>
    costTable(
      {
        kind: 'measurement',
        query: { by: [], terms: [{ coefficient: 2, factors }], step: one },
        law: { kind: 'laplace', scale: rational(10 ** 9) },
      },
      terms,
    )
  const all = fc.record({ a: factor(size), b: factor(size) })
  fc.assert(
    fc.property(
      all,
      fc.record({ b: factor(size) }),
      fc.array(cell, { minLength: 20, maxLength: 20 }),
      (f, g, cells) => {
        const [larger, smaller] = [charge(f), charge(g)]
        if (!smaller.attributes.every((a) => larger.attributes.includes(a))) return
        const sum = sumTables(larger, smaller, Number.POSITIVE_INFINITY)!
        for (const codes of cells) expect(entry(sum, codes)).toBe(entry(larger, codes) + entry(smaller, codes))
      },
    ),
    { numRuns: 60 },
  )
})

const box = fc
  .record(Object.fromEntries(names.map((n) => [n, factor(size)])), { requiredKeys: [] })
  .map((factors) =>
    Object.fromEntries(Object.entries(factors).filter(([, f]) => f?.kind === 'interval' || f?.kind === 'set')),
  )
test('one box of cells costs its price inside, and nothing outside', () => {
  fc.assert(
    fc.property(
      box,
      fc.integer({ min: -3, max: 3 }),
      fc.boolean(),
      fc.array(cell, { minLength: 20, maxLength: 40 }),
      (factors, coefficient, grouped, cells) => {
        const q = {
          by: grouped ? [{ attribute: 'c' }] : [],
          terms: [{ coefficient, factors }],
          step: one,
        } as LinearQuery
        const charge = { kind: 'measurement', query: q, law: { kind: 'laplace', scale: rational(7) } } as const
        const table = costTable(charge, terms)
        // A corner of the box, too: random cells are seldom inside.
        const inside = names.map((name) => {
          const f = factors[name]
          if (f?.kind === 'interval') return f.from
          return f?.kind === 'set' ? (f.codes.at(-1) ?? 0) : 5
        })
        for (const codes of [inside, ...cells]) expect(entry(table, codes)).toBe(costAt(charge, codes, terms))
      },
    ),
    { numRuns: 100 },
  )
})
