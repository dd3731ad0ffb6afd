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
