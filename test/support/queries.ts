import fc from 'fast-check'
import { rational } from '../../src/numeric/index.ts'
import type { Factor, Grouping, Indicator, LinearQuery, Term } from '../../src/query/index.ts'
import { attribute, type Universe, universe } from '../../src/schema/index.ts'

/** Small universes, whose every cell can be visited: up to `most` attributes a, b, c, … with the given sizes. */
export const smallUniverse = (most = 4, sizes: readonly number[] = [1, 2, 3, 4, 5]): fc.Arbitrary<Universe> =>
  fc
    .array(fc.constantFrom(...sizes), { minLength: 1, maxLength: most })
    .map((all) =>
      universe(
        all.map((n, i) => attribute({ kind: 'integer', name: 'abcdef'[i]!, closed: true, low: 0, high: n - 1 })),
      ),
    )

const range = (size: number) =>
  fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([x, y]) => ({ from: Math.min(x, y), to: Math.max(x, y) }))
const codes = (size: number) => fc.subarray(Array.from({ length: size }, (_, code) => code))

const indicator = (size: number): fc.Arbitrary<Indicator> =>
  fc.oneof(
    range(size).map((r) => ({ kind: 'interval' as const, ...r })),
    codes(size).map((c) => ({ kind: 'set' as const, codes: c })),
  )
const small = fc.integer({ min: -4, max: 4 })
export const factor = (size: number): fc.Arbitrary<Factor> =>
  fc.oneof(
    indicator(size),
    fc
      .record({ r: range(size), slope: small, shift: small, power: fc.constantFrom(1 as const, 2 as const) })
      .map(({ r, ...f }) => ({ kind: 'value' as const, ...f, ...r })),
    fc.array(small, { minLength: size, maxLength: size }).map((values) => ({ kind: 'table' as const, values })),
  )

/** Well-formed queries over a universe: scalar ones, or with `groups` grouped by some attributes too. */
export function queryOver(u: Universe, groups: 'scalar' | 'grouped' = 'scalar'): fc.Arbitrary<LinearQuery> {
  const factors = fc.record(Object.fromEntries(u.attributes.map((a) => [a.name, factor(a.size)])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Term['factors']>
  const by = u.attributes.map(({ name, size }) =>
    fc.oneof<fc.Arbitrary<Grouping>[]>(
      fc.constant({ attribute: name }),
      fc.array(fc.nat(2), { minLength: size, maxLength: size }).map((group) => ({
        attribute: name,
        groups: [0, 1].map((g) => ({ kind: 'set' as const, codes: [...group.keys()].filter((c) => group[c] === g) })),
      })),
    ),
  )
  return fc.record({
    by: groups === 'scalar' ? fc.constant<Grouping[]>([]) : fc.tuple(...by).chain((all) => fc.subarray(all)),
    terms: fc.array(fc.record({ coefficient: small, factors }), { maxLength: 4 }),
    step: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([n, d]) => rational(n, d)),
  })
}

/** Every cell of a small universe, as codes in its order. */
export function* cellsOf(u: Universe): Generator<number[]> {
  const cell = u.attributes.map(() => 0)
  for (;;) {
    yield [...cell]
    let k = cell.length - 1
    while (k >= 0 && cell[k] === u.attributes[k]!.size - 1) cell[k--] = 0
    if (k < 0) return
    cell[k]!++
  }
}
