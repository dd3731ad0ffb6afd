import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { fromNumber, one, rational } from '../../numeric/index.ts'
import {
  countAll,
  type Interval,
  type LinearQuery,
  lawFromJson,
  lawToJson,
  marginal,
  queryFromJson,
  queryToJson,
} from '../../query/index.ts'
import { attribute, type Privacy, type Universe, universe } from '../../schema/index.ts'
import type { AnswerCharge } from './charge.ts'
import { openAccount } from './open-account.ts'
import { price, type Terms } from './price.ts'
import { capUnits, type Units } from './units.ts'
import { costAt } from './worst-cell/cost-table.ts'

const integers = (...sizes: number[]): Universe =>
  universe(
    sizes.map((n, i) => attribute({ kind: 'integer', name: 'abcdefghi'[i]!, closed: true, low: 0, high: n - 1 })),
  )
const rows = (k: number): Privacy['unit'] => (k === 1 ? { kind: 'row' } : { kind: 'column', column: 'person', rows: k })
const terms = (u: Universe, neighbours: Privacy['neighbours'] = 'add-remove', k = 1): Terms => ({
  universe: u,
  privacy: { unit: rows(k), neighbours },
})
const within = (factors: { [name: string]: [from: number, to: number] }): LinearQuery => ({
  ...countAll,
  terms: [
    {
      coefficient: 1,
      factors: Object.fromEntries(
        Object.entries(factors).map(([name, [from, to]]) => [name, { kind: 'interval', from, to } satisfies Interval]),
      ),
    },
  ],
})
/** A query bought at a scale of 1/ε steps. */
const at = (epsilon: number, query: LinearQuery): AnswerCharge => {
  const { num, den } = fromNumber(epsilon)
  return { kind: 'measurement', query, law: { kind: 'laplace', scale: rational(den, num) } }
}
const spentOn = (t: Terms, ...charges: AnswerCharge[]): Units => {
  const account = openAccount(t)
  account.add(charges)
  return account.spent()
}

describe('what histories cost', () => {
  const u = integers(10, 10, 3)
  test('ten charges of 0.1 fit a cap of 1.0 exactly, the eleventh does not', () => {
    for (const t of [terms(u), terms(u, 'replace-one')]) {
      const account = openAccount(t)
      const cap = capUnits(one)
      for (let i = 0; i < 10; i++) {
        const charge = at(0.1, within({ a: [i % 3, 5] }))
        expect(account.with([charge], cap)).toBeLessThanOrEqual(cap)
        account.add([charge])
      }
      expect(account.spent()).toBe(cap)
      expect(account.with([at(0.1, within({ a: [2, 2] }))], cap)).toBe(1.1e12)
    }
  })
  test('disjoint ranges cost the largest, not the sum; under replace-one two of them', () => {
    const disjoint = [0, 2, 4, 6].map((from, i) => at(0.1 * (i + 1), within({ a: [from, from + 1], c: [0, 1] })))
    expect(spentOn(terms(u), ...disjoint)).toBe(4e11)
    expect(spentOn(terms(u, 'replace-one'), ...disjoint)).toBe(8e11)
  })
  test('marginals and COUNT(*) cost every cell', () => {
    const charges = [at(0.1, marginal(['a', 'b'])), at(0.2, countAll), at(0.4, within({ c: [1, 1] }))]
    expect(spentOn(terms(u), ...charges)).toBe(7e11)
    // Replace-one: COUNT(*) is free, the marginal moves two cells.
    expect(spentOn(terms(u, 'replace-one'), ...charges)).toBe(6e11)
  })
  test('weights of either sign count by size, and terms that cancel cost nothing', () => {
    const [minus] = within({ a: [0, 4] }).terms
    const signed: LinearQuery = { ...countAll, terms: [{ ...minus!, coefficient: -3 }, ...within({ a: [5, 9] }).terms] }
    expect(spentOn(terms(u), at(0.1, signed))).toBe(3e11)
    expect(spentOn(terms(u), at(0.1, signed), at(0.1, within({ a: [5, 9] })))).toBe(3e11)
    expect(
      spentOn(terms(u), at(0.1, { ...countAll, terms: [...countAll.terms, { coefficient: -1, factors: {} }] })),
    ).toBe(0)
  })
  test('a unit of k rows pays k times, since all of them may lie in the worst cell', () => {
    expect(spentOn(terms(u, 'add-remove', 3), at(0.1, within({ a: [0, 1] })), at(0.1, within({ a: [1, 2] })))).toBe(
      6e11,
    )
  })
  test('intervals over 2^24 codes cost as much as over ten', () => {
    const huge = integers(2 ** 24, 2 ** 24, 2)
    const charges = [0, 1, 2, 3].map((i) =>
      at(0.1, within({ a: [i * 2 ** 20, (i + 2) * 2 ** 20 - 1], b: [i, 2 ** 23] })),
    )
    expect(spentOn(terms(huge), ...charges)).toBe(2e11)
  })
  test('nothing, no attributes, and a cost that fits no budget', () => {
    expect(spentOn(terms(integers()))).toBe(0)
    expect(spentOn(terms(integers()), at(0.5, countAll))).toBe(5e11)
    expect(spentOn(terms(u), at(1e9, countAll), at(0.1, countAll))).toBe(Number.POSITIVE_INFINITY)
    const gaussian: AnswerCharge = { kind: 'measurement', query: countAll, law: { kind: 'gaussian', variance: one } }
    expect(openAccount(terms(u)).with([gaussian], 1e15)).toBe(Number.POSITIVE_INFINITY)
  })
})

const cases = smallUniverse(4, [1, 2, 3, 4]).chain((u) =>
  fc.record({
    t: fc
      .record({
        k: fc.integer({ min: 1, max: 3 }),
        n: fc.constantFrom<Privacy['neighbours'][]>('add-remove', 'replace-one'),
      })
      .map(({ k, n }) => terms(u, n, k)),
    charges: fc.array(
      fc.record({
        kind: fc.constant('measurement' as const),
        query: queryOver(u, 'grouped'),
        law: fc.integer({ min: 500, max: 99_999 }).map((n) => ({ kind: 'laplace' as const, scale: rational(n, 7) })),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    cap: fc.integer({ min: 0, max: 2e12 }),
  }),
)
/** The definition: every cell is visited, prices of 0 left out, as nobody can tell such an answer from another. */
function truth(charges: readonly AnswerCharge[], t: Terms): Units {
  const paid = charges.filter((c) => price(c, t) > 0)
  const worst = Math.max(
    ...[...cellsOf(t.universe)].map((cell) => paid.reduce((sum, c) => sum + costAt(c, cell, t), 0)),
  )
  const prices = paid.reduce((sum, c) => sum + price(c, t), 0)
  return t.privacy.neighbours === 'add-remove' ? worst : Math.min(2 * worst, prices)
}

describe('accounts against every cell', () => {
  test('one at a time or all at once: never below the definition, and equal to it once spent is asked', () => {
    fc.assert(
      fc.property(cases, ({ t, charges, cap }) => {
        const account = openAccount(t)
        charges.forEach((charge, i) => {
          const expected = truth(charges.slice(0, i + 1), t)
          expect(account.with([charge], cap)).toBeGreaterThanOrEqual(expected)
          expect(account.with([charge, charge], cap)).toBeGreaterThanOrEqual(expected)
          account.add([charge])
          expect(account.spent()).toBe(expected)
          expect(account.bestCell(3).units).toBeLessThanOrEqual(expected)
        })
        expect(spentOn(t, ...charges)).toBe(account.spent())
      }),
      { numRuns: 150 },
    )
  })
  test('what is asked between a check and its charge changes nothing', () => {
    fc.assert(
      fc.property(cases, ({ t, charges, cap }) => {
        const account = openAccount(t)
        charges.forEach((charge, i) => {
          // Others' charges come in between, unsettled; then tables are built before, or after, those of the check.
          account.add([charge])
          account.with([charge], i % 2 === 0 ? cap : Number.MAX_SAFE_INTEGER)
          const before = charges.slice(0, i + 1).flatMap((c, j) => (j < i ? [c, c] : [c]))
          expect(account.spent()).toBe(truth(before, t))
          account.add([charge])
        })
        expect(account.spent()).toBe(truth([...charges, ...charges], t))
      }),
      { numRuns: 40 },
    )
  })
  test('`with` answers at most the cap exactly when the definition does', () => {
    fc.assert(
      fc.property(cases, ({ t, charges, cap }) => {
        expect(openAccount(t).with(charges, cap) <= cap).toBe(truth(charges, t) <= cap)
      }),
      { numRuns: 200 },
    )
  })
})

describe('beyond elimination', () => {
  const sizes = [12, 11, 10, 9, 8, 7, 6, 5]
  const u = integers(...sizes)
  let state = 7
  const draw = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const interval = (n: number): [number, number] => [draw(n), draw(n)].sort((a, b) => a - b) as [number, number]
  const random = (): AnswerCharge => {
    const chosen = new Set<number>()
    while (chosen.size < 3) chosen.add(draw(sizes.length))
    return at(0.01, within(Object.fromEntries([...chosen].map((a) => ['abcdefgh'[a]!, interval(sizes[a]!)]))))
  }
  const history = Array.from({ length: 120 }, random)
  const account = openAccount(terms(u))
  for (const charge of history) {
    account.with([charge], 0.6e12)
    account.add([charge])
  }

  test('the bound lies between a cell that can be shown and little more', () => {
    const { cell, units } = account.bestCell(200)
    expect(units).toBe(history.reduce((sum, c) => sum + costAt(c, cell, terms(u)), 0))
    expect(account.spent()).toBeGreaterThanOrEqual(units)
    // Measured: 1.02. The sum of the charges is almost three times the cell.
    expect(account.spent()).toBeLessThan(1.15 * units)
    expect(history.length * 1e10).toBeGreaterThan(2.5 * units)
  })
  test('a ledger read again accepts what the account accepted, with room of a twentieth', () => {
    const again = openAccount(terms(u))
    again.add(history)
    expect(again.with([random()], 1.05 * account.spent() + 1e10)).toBeLessThanOrEqual(1.05 * account.spent() + 1e10)
  })
  test('the same calls give the same bounds', () => {
    const runs = [0, 1].map(() => {
      const a = openAccount(terms(u))
      const bounds = history.map((c) => {
        const b = a.with([c], 0.5e12)
        a.add([c])
        return b
      })
      return [...bounds, a.spent(), a.exhibit()]
    })
    expect(runs[0]).toEqual(runs[1])
  })
  test('a charge that went through a ledger still counts as the one just checked', () => {
    const [direct, stored] = [openAccount(terms(u)), openAccount(terms(u))]
    for (const charge of history.slice(0, 60)) {
      const bounds = [direct, stored].map((a) => a.with([charge], 0.1e12))
      expect(bounds[0]).toBe(bounds[1])
      direct.add([charge])
      stored.add([
        {
          kind: 'measurement',
          query: queryFromJson(queryToJson(charge.query)),
          law: lawFromJson(lawToJson(charge.law)),
        },
      ])
    }
    expect(stored.spent()).toBe(direct.spent())
  })
  test('a check leaves the account no dearer, and a refused one charges nothing', () => {
    const before = account.spent()
    account.with(history.slice(0, 20), 0)
    expect(account.spent()).toBeLessThanOrEqual(before)
    expect(account.spent()).toBeGreaterThanOrEqual(account.exhibit())
  })
})
