import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { combine, countAll, type Factor, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { compile, Shapes } from './compile.ts'
import type { History } from './history.ts'
import { Components } from './marginals/components.ts'
import { openHistory } from './open-history.ts'
import { Corners } from './scalars/corners.ts'

/**
 * A conjunction of k conditions "code 0" has 2^k corners, too many to list from 12 on, and of k conditions "code 1" one.
 * So a history of the first kind and its mirror image, which is of the second, must agree.
 */
const names = Array.from({ length: 14 }, (_, i) => `b${String(i).padStart(2, '0')}`)
const u = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
const law = { kind: 'laplace', scale: rational(10) } as const

type Conjunction = readonly { readonly place: number; readonly code: number }[]
const conjunction: fc.Arbitrary<Conjunction> = fc
  .record({
    places: fc.subarray([...names.keys()], { minLength: 10 }),
    ones: fc.subarray([...names.keys()], { maxLength: 2 }),
  })
  .map(({ places, ones }) => places.map((place) => ({ place, code: ones.includes(place) ? 1 : 0 })))

const queryOf = (list: Conjunction, mirrored: boolean): LinearQuery => ({
  by: [],
  terms: [
    {
      coefficient: 1,
      factors: Object.fromEntries(
        list.map(({ place, code }): [string, Factor] => {
          const at = mirrored ? 1 - code : code
          return [names[place]!, { kind: 'interval', from: at, to: at }]
        }),
      ),
    },
  ],
  step: one,
})
const scenario = fc.record({
  asked: fc.array(conjunction, { minLength: 1, maxLength: 6 }),
  question: conjunction,
  times: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 7, maxLength: 7 }),
  counted: fc.boolean(),
  known: fc.option(fc.subarray(names, { maxLength: 2 }), { nil: undefined }),
})

test('a conjunction of 12 conditions has too many corners to list, its mirror image has one', () => {
  const corners = new Corners(new Components(u))
  const zeros = names.slice(0, 12).map((_, place) => ({ place, code: 0 }))
  expect(corners.of(compile(queryOf(zeros, false), u, new Shapes()))).toBeUndefined()
  expect(corners.of(compile(queryOf(zeros, true), u, new Shapes()))!.at).toHaveLength(1)
})

test('queries whose corners are not listed are estimated like their mirror images', () => {
  const seen = { estimable: 0, not: 0 }
  fc.assert(
    fc.property(scenario, ({ asked, question, times, counted, known }) => {
      const [plain, mirror] = [false, true].map((mirrored) => {
        const history: History = openHistory(u, { random: seededBits(3).uniform })
        const queries = asked.map((list) => queryOf(list, mirrored))
        if (counted) queries.push(countAll)
        queries.forEach((query, i) => {
          history.append({ id: String(i), query, law, values: Float64Array.of(100 * i + 7) })
        })
        if (known) {
          const values = Float64Array.from({ length: 2 ** known.length }, (_, cell) => cell + 1)
          const query = marginal(known)
          history.append({ id: 'm', query, law, values: mirrored ? values.toReversed() : values })
        }
        const mixed = combine(queries.map((query, i) => ({ query, times: rational(times[i]!) })))
        return [mixed, queryOf(question, mirrored), countAll, ...queries].map((query) => history.estimate(query))
      })
      for (const [i, estimate] of plain!.entries()) {
        const other = mirror![i]!
        expect(estimate.estimable).toBe(other.estimable)
        expect([estimate.leftOut, other.leftOut]).toEqual([0, 0])
        if (!estimate.estimable || !other.estimable) {
          seen.not++
          continue
        }
        seen.estimable++
        // Answers below 1,000 with weights below 10; a hundred roundings of that.
        expect(Math.abs(estimate.estimate - other.estimate)).toBeLessThan(100 * 2 ** -53 * 10_000)
        expect(Math.abs(estimate.variance - other.variance)).toBeLessThan(100 * 2 ** -53 * (1 + other.variance) * 100)
      }
    }),
    { numRuns: 25 },
  )
  expect(Math.min(seen.estimable, seen.not)).toBeGreaterThan(20)
})

test('2^1000 corners: a cell, and all but it', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `c${i}`)
  const big = universe(many.map((name) => attribute({ kind: 'boolean', name, closed: true })))
  const zero: Factor = { kind: 'interval', from: 0, to: 0 }
  const cell: LinearQuery = {
    by: [],
    terms: [{ coefficient: 1, factors: Object.fromEntries(many.map((name) => [name, zero])) }],
    step: one,
  }
  const rest = combine([
    { query: countAll, times: one },
    { query: cell, times: rational(-1) },
  ])
  const history = openHistory(big, { random: seededBits(3).uniform })
  history.append({ id: '1', query: countAll, law, values: Float64Array.of(1000) })
  expect(history.estimate(rest).estimable).toBe(false)
  history.append({ id: '2', query: cell, law, values: Float64Array.of(3) })
  const estimate = history.estimate(rest)
  expect(estimate.estimable && estimate.estimate).toBeCloseTo(997, 9)
})

test('a sum of products over two wide attributes hides no other sums', () => {
  const wide = (name: string, high: number) => attribute({ kind: 'integer', name, low: 0, high, closed: false })
  const day = attribute({ kind: 'integer', name: 'day', low: 0, high: 9, closed: false })
  const value = (to: number): Factor => ({ kind: 'value', slope: 1, shift: -to / 2, power: 1, from: 0, to })
  const [a, b] = [value(70_000), value(30_000)]
  const some = (to: number): Factor => ({ kind: 'interval', from: 0, to })
  const of = (factors: { [name: string]: Factor }, by: LinearQuery['by'] = []): LinearQuery => ({
    by,
    terms: [{ coefficient: 1, factors }],
    step: one,
  })
  /** Sixteen ranges of one length, and what lies before and behind them. */
  const ranges = (attribute: string, first: number, length: number, to: number): LinearQuery['by'] => {
    const edges = [0, ...Array.from({ length: 17 }, (_, k) => first + k * length), to + 1]
    const groups = edges.slice(1).map((end, k) => ({ kind: 'interval' as const, from: edges[k]!, to: end - 1 }))
    return [{ attribute, groups }]
  }
  const sex = attribute({ kind: 'boolean', name: 'sex', closed: true })
  const over = universe([day, wide('a', 70_000), sex, wide('b', 30_000)])
  const history = openHistory(over, { random: seededBits(3).uniform })
  let count = 0
  const put = (query: LinearQuery, scale: number, size = 1) =>
    history.append({
      id: String(count++),
      query,
      law: { kind: 'laplace', scale: rational(scale) },
      values: new Float64Array(size).fill(100),
    })
  put(marginal(['sex']), 7, 2)
  put(of({ a }, [{ attribute: 'day' }]), 124_247, 11)
  put(of({ b }), 60_000)
  for (const length of [1800, 300, 50, 9, 2])
    put(of({ b: some(30_000) }, ranges('b', 15_001 - 8 * length, length, 30_000)), 30, 18)
  put(of({}, ranges('a', 2000, 4000, 70_001)), 10, 18)
  put(of({ a: some(70_000), b: some(30_000) }), 6)
  put(of({ a: some(70_000), b }), 90_000)
  put(of({ a, b: some(30_000) }), 210_000)
  expect(history.estimate(of({ a }))).toMatchObject({ estimable: true })
  put(of({ a, b }), 3.15e9)
  expect(history.estimate(of({ a }))).toMatchObject({ estimable: true })
  expect(history.estimate(of({ a, b }))).toMatchObject({ estimable: true })
})
