import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { add, compare, divide, multiply, type Rational, rational, zero } from '../../numeric/index.ts'
import { countAll, groupOf, type LinearQuery, marginal, type NoiseLaw, weightAt } from '../../query/index.ts'
import { attribute, type Privacy, type Universe, universe } from '../../schema/index.ts'
import type { AnswerCharge } from './charge.ts'
import { openAccount } from './open-account.ts'
import { price, scaleFor, type Terms, varianceFor } from './price.ts'
import { range, rangeSquared } from './sensitivity.ts'
import { capUnits, chargeUnits, type Units, unitsToNumber } from './units.ts'
import { costAt, mostUnits } from './worst-cell/cost-table.ts'

const rows = (k: number): Privacy['unit'] => (k === 1 ? { kind: 'row' } : { kind: 'column', column: 'person', rows: k })
const fraction = fc.tuple(fc.integer({ min: 900, max: 99_999 }), fc.integer({ min: 1, max: 9 }))
const scale = fraction.map(([n, d]) => rational(n, d))
const laplace = (b: Rational): NoiseLaw => ({ kind: 'laplace', scale: b })
const gaussian = (variance: Rational): NoiseLaw => ({ kind: 'gaussian', variance })

/** Laplace, Gaussian, or a refinement of Laplace noise three times as large. */
const law = fc.oneof(
  scale.map((b) => ({ kind: 'measurement' as const, law: laplace(b) })),
  scale.map((v) => ({ kind: 'measurement' as const, law: gaussian(multiply(v, rational(50))) })),
  scale.map((b) => ({ kind: 'refinement' as const, law: laplace(b), paid: laplace(multiply(b, rational(3))) })),
)
const charge = (u: Universe): fc.Arbitrary<AnswerCharge> =>
  fc.record({ query: queryOver(u, 'grouped'), law }).map(({ query, law }) => ({ query, ...law }))
const relation = fc.record({
  unit: fc.integer({ min: 1, max: 3 }).map(rows),
  neighbours: fc.constantFrom<Privacy['neighbours'][]>('add-remove', 'replace-one'),
})
const cases = smallUniverse(3, [1, 2, 3])
  .chain((u) =>
    fc.record({
      terms: relation.map((privacy): Terms => ({ universe: u, privacy, currency: 'rho' })),
      charges: fc.array(charge(u), { minLength: 1, maxLength: 5 }),
    }),
  )
  // Sums that exact integers hold.
  .filter(({ terms, charges }) => charges.reduce((sum, c) => sum + 4 * mostUnits(c, terms), 0) < 2 ** 53)

/** The ρ of one step: half of 1/b², or of 1/σ². In full, whatever has been paid before. */
function ratePerSquare({ law }: AnswerCharge): Rational {
  if (law.kind === 'none') throw new Error('not in these tests')
  return divide(rational(1, 2), law.kind === 'laplace' ? multiply(law.scale, law.scale) : law.variance)
}
const times = (a: Rational, n: number | bigint): Rational => multiply(a, rational(n))

/** The square of the L2 distance between the answers for one record in one cell and one record in another. */
function distanceSquared(q: LinearQuery, u: Universe, s: number[], t: number[]): number {
  const [v, w] = [weightAt(q, u, s), weightAt(q, u, t)]
  const same = q.by.every((g) => {
    const a = u.index.get(g.attribute)!
    return groupOf(g, s[a]!) === groupOf(g, t[a]!)
  })
  return same ? (v - w) ** 2 : v * v + w * w
}

/**
 * What neighbours pay, as a fraction, where every cell or pair of cells is visited: all rows of a unit in one cell come or
 * go, or move to another.
 */
function truth(charges: readonly AnswerCharge[], { universe: u, privacy }: Terms): Rational {
  const cells = [...cellsOf(u)]
  const k = privacy.unit.kind === 'row' ? 1 : privacy.unit.rows
  const moves =
    privacy.neighbours === 'replace-one'
      ? cells.flatMap((s) => cells.map((t) => (q: LinearQuery) => k * k * distanceSquared(q, u, s, t)))
      : cells.map((t) => (q: LinearQuery) => (k * weightAt(q, u, t)) ** 2)
  return moves
    .map((moved) => charges.reduce((sum, c) => add(sum, times(ratePerSquare(c), moved(c.query))), zero))
    .reduce((a, b) => (compare(a, b) > 0 ? a : b))
}
const atLeast = (units: Units, value: Rational) => compare(rational(BigInt(units), 10n ** 12n), value) >= 0

describe('an account in ρ against every cell', () => {
  test('is never below what the worst neighbours pay, and above it by less than a unit a charge when records come or go', () => {
    fc.assert(
      fc.property(cases, ({ terms, charges }) => {
        const account = openAccount(terms)
        account.add(charges)
        const [spent, least] = [account.spent(), truth(charges, terms)]
        expect(atLeast(spent, least)).toBe(true)
        if (terms.privacy.neighbours === 'add-remove') expect(spent).toBeLessThan(chargeUnits(least) + charges.length)
        expect(account.exhibit()).toBeLessThanOrEqual(spent)
      }),
      { numRuns: 200 },
    )
  })
  test('under replace-one it is the smaller of four times the worst cell and the sum of prices', () => {
    fc.assert(
      fc.property(cases, ({ terms, charges }) => {
        fc.pre(terms.privacy.neighbours === 'replace-one')
        const paid = charges.filter((c) => price(c, terms) > 0)
        const worst = Math.max(
          ...[...cellsOf(terms.universe)].map((cell) => paid.reduce((sum, c) => sum + costAt(c, cell, terms), 0)),
        )
        const account = openAccount(terms)
        account.add(charges)
        const prices = paid.reduce((sum, c) => sum + price(c, terms), 0)
        expect(account.spent()).toBe(Math.min(4 * worst, prices))
      }),
      { numRuns: 150 },
    )
  })
  test('with a cap: above it only when the definition is', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 2e9 }), ({ terms, charges }, cap) => {
        const account = openAccount(terms)
        account.add(charges)
        expect(openAccount(terms).with(charges, cap) <= cap).toBe(account.spent() <= cap)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a price in ρ', () => {
  test('covers every pair of records under replace-one, exactly for scalars, and never more than four squares', () => {
    const one = smallUniverse(3, [1, 2, 3, 4]).chain((u) => fc.record({ u: fc.constant(u), c: charge(u) }))
    fc.assert(
      fc.property(one, ({ u, c }) => {
        const terms: Terms = { universe: u, privacy: { unit: rows(1), neighbours: 'replace-one' }, currency: 'rho' }
        const cells = [...cellsOf(u)]
        const most = Math.max(...cells.flatMap((s) => cells.map((t) => distanceSquared(c.query, u, s, t))))
        const squared = rangeSquared(c.query, u)
        expect(squared >= BigInt(most)).toBe(true)
        expect(squared <= BigInt(range(c.query, u)) ** 2n).toBe(true)
        if (c.query.by.length === 0) expect(squared).toBe(BigInt(most))
        expect(price(c, terms)).toBe(chargeUnits(times(ratePerSquare(c), squared)))
      }),
      { numRuns: 300 },
    )
  })
  const u = universe(['a', 'b'].map((name) => attribute({ kind: 'integer', name, closed: true, low: 0, high: 3 })))
  const terms = (neighbours: Privacy['neighbours'], k = 1): Terms => ({
    universe: u,
    privacy: { unit: rows(k), neighbours },
    currency: 'rho',
  })
  test.each([
    ['a marginal, Laplace, b = 10', marginal(['a']), laplace(rational(10)), [5e9, 1e10]],
    ['a marginal, Gaussian, σ² = 100', marginal(['a']), gaussian(rational(100)), [5e9, 1e10]],
    ['COUNT(*)', countAll, gaussian(rational(100)), [5e9, 0]],
  ] as const)('%s', (_, query, law, expected) => {
    expect([
      price({ kind: 'measurement', query, law }, terms('add-remove')),
      price({ kind: 'measurement', query, law }, terms('replace-one')),
    ]).toEqual(expected)
    // A unit of three rows: nine times; replaced as well: 36 times.
    expect(price({ kind: 'measurement', query, law }, terms('add-remove', 3))).toBe(9 * 5e9)
    expect(price({ kind: 'measurement', query, law }, terms('replace-one', 3))).toBe(36 * 5e9)
  })
  test('a refinement earns no credit', () => {
    const refined = { kind: 'measurement', query: marginal(['a']), law: laplace(rational(5)) } as const
    for (const t of [terms('add-remove'), terms('replace-one', 2)])
      expect(price({ ...refined, kind: 'refinement', paid: laplace(rational(10)) }, t)).toBe(price(refined, t))
  })
  test('opposite signs attain four times the worst cell', () => {
    const query = { ...countAll, terms: [{ coefficient: 1, factors: { a: { kind: 'table', values: [1, -1, 0, 0] } } }] }
    const account = openAccount(terms('replace-one'))
    account.add([{ kind: 'measurement', query: query as LinearQuery, law: gaussian(rational(100)) }])
    expect(account.spent()).toBe(4 * 5e9)
  })
  test.each([laplace(zero), laplace(rational(-1)), gaussian(zero), gaussian(rational(-1))])('refuses %o', (law) => {
    for (const t of [
      terms('add-remove'),
      terms('replace-one'),
      { ...terms('add-remove'), currency: 'epsilon' } as Terms,
    ])
      expect(() => price({ kind: 'measurement', query: countAll, law }, t)).toThrow(
        expect.objectContaining({ code: 'scale-invalid' }),
      )
  })
  test('a weight whose square no double holds is still priced to the unit', () => {
    const most = Number.MAX_SAFE_INTEGER
    const query = { ...countAll, terms: [{ coefficient: most, factors: {} }] }
    const variance = multiply(rational(most), rational(most))
    expect(price({ kind: 'measurement', query, law: gaussian(variance) }, terms('add-remove'))).toBe(5e11)
    const less = { num: variance.num - 1n, den: 1n }
    expect(price({ kind: 'measurement', query, law: gaussian(less) }, terms('add-remove'))).toBe(5e11 + 1)
  })
})

describe('scaleFor and varianceFor', () => {
  const wanted = smallUniverse(3).chain((u) =>
    fc.record({
      query: queryOver(u, 'grouped'),
      privacy: relation,
      u: fc.constant(u),
      units: fc.integer({ min: 1, max: 2e12 }),
    }),
  )
  test('the price is what was asked, to the unit, or nothing where nothing moves', () => {
    fc.assert(
      fc.property(wanted, ({ query, privacy, u, units }) => {
        const cost = rational(BigInt(units), 10n ** 12n)
        const terms = { universe: u, privacy }
        const variance = varianceFor(query, cost, terms)
        expect([0, units]).toContain(
          price({ kind: 'measurement', query, law: gaussian(variance) }, { ...terms, currency: 'rho' }),
        )
        const b = scaleFor(query, cost, { ...terms, currency: 'rho' })
        expect([0, units]).toContain(price({ kind: 'measurement', query, law: laplace(b) }, terms))
      }),
      { numRuns: 300 },
    )
  })
})

describe('refinements in ε', () => {
  const chain = smallUniverse(3, [1, 2, 3]).chain((u) =>
    fc.record({
      terms: relation.map((privacy): Terms => ({ universe: u, privacy })),
      query: queryOver(u, 'grouped'),
      first: scale,
      factors: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
    }),
  )
  test('a chain costs what its last scale costs, and at most a unit a step more', () => {
    fc.assert(
      fc.property(chain, ({ terms, query, first, factors }) => {
        let last = first
        const charges: AnswerCharge[] = [{ kind: 'measurement', query, law: laplace(last) }]
        for (const tenths of factors) {
          const paid = laplace(last)
          last = multiply(last, rational(tenths, 10))
          charges.push({ kind: 'refinement', query, law: laplace(last), paid })
        }
        const [whole, stepwise] = [openAccount(terms), openAccount(terms)]
        whole.add([{ kind: 'measurement', query, law: laplace(last) }])
        fc.pre(whole.spent() < 2 ** 52)
        for (const c of charges) {
          stepwise.with([c], capUnits(rational(1, 1000)))
          stepwise.add([c])
        }
        const both = terms.privacy.neighbours === 'replace-one' ? 2 : 1
        expect(stepwise.spent()).toBeGreaterThanOrEqual(whole.spent())
        expect(stepwise.spent()).toBeLessThanOrEqual(whole.spent() + both * charges.length)
      }),
      { numRuns: 200 },
    )
  })
  test('noise must fall, and only Laplace noise has a price to build on', () => {
    const terms: Terms = {
      universe: universe([attribute({ kind: 'boolean', name: 'a', closed: true })]),
      privacy: { unit: rows(1), neighbours: 'add-remove' },
    }
    const from = (paid: NoiseLaw) => () =>
      price({ kind: 'refinement', query: countAll, law: laplace(rational(10)), paid }, terms)
    for (const paid of [
      laplace(rational(10)),
      laplace(rational(9)),
      gaussian(rational(100)),
      { kind: 'none' } as const,
    ])
      expect(from(paid)).toThrow(expect.objectContaining({ code: 'scale-invalid' }))
    expect(from(laplace(rational(11)))()).toBe(chargeUnits(rational(1, 110)))
  })
})

test('what no finite number of units covers is shown as such', () => {
  expect(unitsToNumber(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
})
