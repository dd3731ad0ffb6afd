import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { multiply, rational, toNumber } from '../../numeric/index.ts'
import { answerSize, countAll, groupOf, type LinearQuery, MarginalList, marginal, weightAt } from '../../query/index.ts'
import { attribute, type Privacy, type Universe, universe } from '../../schema/index.ts'
import type { Charge } from './charge.ts'
import { DistanceSensitivities } from './distance-sensitivity.ts'
import { openAccount } from './open-account.ts'
import { price, type Terms } from './price.ts'
import { chargeUnits, unitsToNumber } from './units.ts'

type Table = readonly (readonly number[])[]

/** Answers by their definition. */
function answers(q: LinearQuery, u: Universe, table: Table): number[] {
  const sums = new Array<number>(answerSize(q, u)).fill(0)
  for (const cell of table) {
    const weight = weightAt(q, u, cell)
    if (weight === 0) continue
    let at = 0
    for (const g of q.by) {
      const a = u.index.get(g.attribute)!
      at = at * (g.groups?.length ?? u.attributes[a]!.size) + groupOf(g, cell[a]!)
    }
    sums[at]! += weight
  }
  return sums
}
const far = (q: LinearQuery, u: Universe, table: Table, model: readonly number[]) =>
  answers(q, u, table).reduce((sum, x, i) => sum + Math.abs(x - model[i]!), 0)

/** All tables that one person with up to k rows may turn this one into: by coming with them, or by being another. */
function neighbours(table: Table, u: Universe, relation: Privacy['neighbours'], k: number): Table[] {
  const cells = [...cellsOf(u)]
  const persons = (most: number): Table[] =>
    most === 0 ? [[]] : persons(most - 1).flatMap((rest) => [rest, ...cells.map((cell) => [...rest, cell])])
  if (relation === 'add-remove') return persons(k).map((rows) => [...table, ...rows])
  return cells.map((cell) => [...table.slice(1), cell])
}

const terms = (u: Universe, relation: Privacy['neighbours'], k: number): Terms => ({
  universe: u,
  privacy: { unit: k > 1 ? { kind: 'column', column: 'person', rows: k } : { kind: 'row' }, neighbours: relation },
})
const relations = fc.constantFrom(
  { relation: 'add-remove' as const, k: 1 },
  { relation: 'add-remove' as const, k: 2 },
  { relation: 'replace-one' as const, k: 1 },
)
const cases = smallUniverse(2, [1, 2, 3]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    relation: relations,
    queries: fc.array(queryOver(u, 'grouped'), { minLength: 1, maxLength: 3 }),
    weights: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
    table: fc.array(fc.constantFrom(...cellsOf(u)), { minLength: 1, maxLength: 4 }),
    models: fc.array(fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 30, maxLength: 30 }), {
      minLength: 3,
      maxLength: 3,
    }),
  }),
)

function law(scores: readonly number[], rate: number): number[] {
  const best = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(rate * (score - best)))
  const total = powers.reduce((a, b) => a + b)
  return powers.map((power) => power / total)
}

describe('against all neighbours of small tables', () => {
  test('a distance moves by no more than is said, whatever the model, and that much is reached', () => {
    let reached = 0
    fc.assert(
      fc.property(cases, ({ u, relation: { relation, k }, queries, table, models }) => {
        const moved = new DistanceSensitivities(queries, terms(u, relation, k))
        queries.forEach((q, i) => {
          const before = far(q, u, table, models[i]!)
          const most = Math.max(
            ...neighbours(table, u, relation, k).map((other) => Math.abs(far(q, u, other, models[i]!) - before)),
          )
          expect(BigInt(most)).toBeLessThanOrEqual(moved.of(i))
          if (most > 0 && BigInt(most) === moved.of(i)) reached++
        })
      }),
      { numRuns: 300 },
    )
    expect(reached).toBeGreaterThan(50)
  })

  // The law in doubles is off by 10^-13 or less; the slack is a thousand times that.
  test('a selection keeps its price: every probability within ε, every Rényi divergence within ε²/8', () => {
    let closest = 0
    fc.assert(
      fc.property(cases, ({ u, relation: { relation, k }, queries, weights, table, models }) => {
        const t = terms(u, relation, k)
        const sensitivity = new DistanceSensitivities(queries, t).most(
          [[0, queries.length - 1]],
          weights.slice(0, queries.length),
        )
        if (sensitivity === 0n) return
        const epsilon = rational(3, 2)
        const rate = multiply(epsilon, rational(1n, 2n * sensitivity))
        const charge: Charge = { kind: 'selection', rate, sensitivity }
        const [inEpsilon, inRho] = [price(charge, t), price(charge, { ...t, currency: 'rho' })]
        expect([inEpsilon, inRho]).toEqual([1.5e12, chargeUnits(rational(9, 32))])
        const lawOf = (of: Table) =>
          law(
            queries.map((q, i) => weights[i]! * far(q, u, of, models[i]!)),
            toNumber(rate),
          )
        const here = lawOf(table)
        for (const other of neighbours(table, u, relation, k)) {
          const there = lawOf(other)
          const loss = Math.max(...here.map((p, i) => Math.abs(Math.log(p / there[i]!))))
          closest = Math.max(closest, loss)
          expect(loss).toBeLessThanOrEqual(unitsToNumber(inEpsilon) + 1e-10)
          for (const alpha of [1.1, 2, 5, 20]) {
            const moment = here.reduce((sum, p, i) => sum + p ** alpha * there[i]! ** (1 - alpha), 0)
            expect(Math.log(moment) / (alpha - 1)).toBeLessThanOrEqual(alpha * unitsToNumber(inRho) + 1e-10)
          }
        }
      }),
      { numRuns: 300 },
    )
    expect(closest).toBeGreaterThan(1)
  })
})

describe('prices', () => {
  const u = universe([attribute({ kind: 'integer', name: 'a', low: 0, high: 4, closed: true })])
  const score = (law: Extract<Charge, { kind: 'score' }>['law'], sensitivity: bigint): Charge => ({
    kind: 'score',
    law,
    sensitivity,
  })
  test.each([
    ['add-remove', 1, 1n, 1n],
    ['add-remove', 3, 3n, 3n],
    ['replace-one', 1, 2n, 0n],
  ] as const)('%s, %i rows: a marginal moves by %i, a count by %i', (relation, k, ofMarginal, ofCount) => {
    const moved = new DistanceSensitivities([marginal(['a']), countAll], terms(u, relation, k))
    expect([moved.of(0), moved.of(1), moved.most([[0, 1]]), moved.most([[1, 1]])]).toEqual([
      ofMarginal,
      ofCount,
      ofMarginal,
      ofCount,
    ])
    expect(moved.most([[0, 1]], [2, 9])).toBe(2n * ofMarginal > 9n * ofCount ? 2n * ofMarginal : 9n * ofCount)
  })
  test('a score costs Δ/b in ε, and Δ²/2b² or Δ²/2σ² in ρ', () => {
    const [e, r] = [terms(u, 'add-remove', 1), { ...terms(u, 'add-remove', 1), currency: 'rho' as const }]
    const laplace = score({ kind: 'laplace', scale: rational(10) }, 2n)
    const gaussian = score({ kind: 'gaussian', variance: rational(100) }, 2n)
    expect([price(laplace, e), price(laplace, r)]).toEqual([2e11, 2e10])
    expect([price(gaussian, e), price(gaussian, r)]).toEqual([Number.POSITIVE_INFINITY, 2e10])
    expect(price(score({ kind: 'laplace', scale: rational(10) }, 0n), e)).toBe(0)
  })
  test('neither is multiplied by what answers are, and both stand beside the worst cell', () => {
    const half = (from: number, to: number): Charge => ({
      kind: 'measurement',
      query: { ...countAll, terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from, to } } }] },
      law: { kind: 'laplace', scale: rational(10) },
    })
    const beside: Charge[] = [
      { kind: 'selection', rate: rational(1, 20), sensitivity: 2n },
      score({ kind: 'laplace', scale: rational(20) }, 2n),
    ]
    for (const [relation, ofAnswers] of [
      ['add-remove', 1e11],
      ['replace-one', 2e11],
    ] as const) {
      const account = openAccount(terms(u, relation, 1))
      expect(account.with([half(0, 1), half(2, 4), ...beside], ofAnswers + 3e11)).toBe(ofAnswers + 3e11)
      account.add([half(0, 1), half(2, 4), ...beside])
      expect(account.spent()).toBe(ofAnswers + 3e11)
      expect(account.exhibit()).toBe(ofAnswers + 3e11)
    }
  })
})

test('a list of marginals moves as each of them does', () => {
  const u = universe(
    [1, 2, 1, 3].map((size, i) => attribute({ kind: 'integer', name: `x${i}`, low: 1, high: size, closed: true })),
  )
  const list = new MarginalList(['x0', 'x1', 'x2', 'x3'], 2, [0, 2, 0, 1, 2, 0, 1, 3, 3, 2])
  const whole = [[0, list.length - 1]] as const
  for (const [relation, k] of [
    ['add-remove', 1],
    ['add-remove', 3],
    ['replace-one', 1],
    ['replace-one', 2],
  ] as const) {
    const one = terms(u, relation, k)
    const together = new DistanceSensitivities(list, one)
    const apart = new DistanceSensitivities([...list], one)
    const moved = Array.from(list, (_, place) => together.of(place))
    expect(moved).toEqual(Array.from(list, (_, place) => apart.of(place)))
    // Marginals of one cell and of several differ where one is replaced: a table of one cell says what is public.
    expect(new Set(moved).size).toBe(relation === 'replace-one' && k === 1 ? 2 : 1)
    for (const weights of [undefined, [9, 1, 8, 2, 3]])
      for (const places of [
        whole,
        [[0, 0]] as const,
        [
          [0, 0],
          [2, 3],
        ] as const,
      ]) {
        const some = weights?.slice(
          0,
          places.reduce((sum, [first, last]) => sum + last - first + 1, 0),
        )
        expect(together.most(places, some)).toBe(apart.most(places, some))
      }
  }
})
