import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { code, count, found, historyOf, integers, law, measured } from '../../../test/support/estimates.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import {
  answerSize,
  axisSizes,
  countAll,
  groupOf,
  type LinearQuery,
  type Measurement,
  marginal,
  marginalOver,
  type NoiseLaw,
  weightAt,
} from '../../query/index.ts'
import { type Universe, universe } from '../../schema/index.ts'
import { lawOf, varianceOf, varianceOfError } from '../error-law/law.ts'
import { cellQuery } from './cell-query.ts'
import { openHistory } from './open-history.ts'
import { denseEstimate } from './scalars/dense.ts'

/** A query's groups as rows over the universe's cells, in steps. */
function rowsOf(query: LinearQuery, u: Universe): Float64Array[] {
  const cells = [...cellsOf(u)]
  const sizes = axisSizes(query, u)
  const rows = Array.from({ length: answerSize(query, u) }, () => new Float64Array(cells.length))
  for (const [k, cell] of cells.entries()) {
    const groups = query.by.map((g) => groupOf(g, cell[u.index.get(g.attribute)!]!))
    if (groups.includes(-1)) continue
    rows[groups.reduce((at, group, i) => at * sizes[i]! + group, 0)]![k] = weightAt(query, u, cell)
  }
  return rows
}
const along = (row: Float64Array, data: readonly number[]) => row.reduce((sum, w, c) => sum + w * data[c]!, 0)

const scale: fc.Arbitrary<NoiseLaw> = fc
  .integer({ min: 1, max: 40 })
  .map((k) => ({ kind: 'laplace' as const, scale: rational(k, 2) }))
const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    data: fc.array(fc.nat(9), { minLength: 64, maxLength: 64 }),
    tables: fc.array(
      fc.record({
        query: fc.oneof(
          { weight: 3, arbitrary: queryOver(u, 'grouped') },
          queryOver(u),
          fc.subarray(u.attributes.map(({ name }) => name)).map((names) => marginal(names)),
        ),
        laws: fc.array(scale, { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    asked: fc.array(queryOver(u), { maxLength: 2 }),
  }),
)

describe('answers that are chosen for a question', () => {
  test('random histories: unbiased, the variance that is told, none better than all, no table alone better than it', () => {
    const seen = { best: 0, more: 0, not: 0, unfound: 0 }
    fc.assert(
      fc.property(scenario, ({ u, data, tables, asked }) => {
        // Exact answers: whatever is unbiased gives the exact answer to any question.
        const list = tables.flatMap(({ query, laws }, i) => {
          const values = Float64Array.from(rowsOf(query, u), (row) => along(row, data))
          return laws.map((noise, k): Measurement => ({ id: `${i}.${k}`, query, law: noise, values }))
        })
        const random = seededBits(2).uniform
        const [chosen, whole] = [{ mostScalars: 0 }, { isWhole: true }].map((how) => {
          const history = openHistory(u, { random, ...how })
          for (const measurement of list) history.append(measurement)
          return history
        })
        const cells = tables.flatMap(({ query }) =>
          Array.from({ length: answerSize(query, u) }, (_, cell) => cellQuery(query, u, cell)),
        )
        for (const question of [...asked, ...cells]) {
          const [own, all] = [chosen!.estimate(question), whole!.estimate(question)]
          if (!own.estimable) {
            seen[all.estimable ? 'unfound' : 'not']++
            continue
          }
          // A part of a history tells nothing that the whole does not.
          if (!all.estimable) throw new Error('the whole history does not tell it')
          const row = rowsOf(question, u)[0]!
          const truth = toNumber(question.step) * along(row, data)
          // One rounding more is the test's own.
          expect(Math.abs(own.estimate - truth)).toBeLessThanOrEqual(own.rounding.estimate + 2 ** -50 * Math.abs(truth))
          // Sums of up to a hundred positive numbers in another order.
          const near = (x: number) => expect(Math.abs(x - own.variance)).toBeLessThanOrEqual(1e-12 * own.variance)
          near(varianceOfError(own.coefficients))
          near(own.sources.reduce((sum, { variance }) => sum + variance, 0))
          expect(own.variance).toBeGreaterThanOrEqual(all.variance * (1 - 1e-9))
          seen[own.variance <= all.variance * (1 + 1e-9) ? 'best' : 'more']++
          for (const { query, law: noise } of list) {
            const rows = rowsOf(query, u)
            const alone = denseEstimate({ rows, variances: rows.map(() => varianceOf(lawOf(noise)!)) }, row)
            // The twin has about 9 digits.
            const most = alone && alone.variance * toNumber(question.step) ** 2 * (1 + 1e-6)
            expect(own.variance).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY)
          }
        }
      }),
      { numRuns: 60 },
    )
    // In so small a universe nearly all that can be said is found.
    expect(seen.best).toBeGreaterThan(20 * (seen.more + seen.unfound))
    expect(seen.not).toBeGreaterThan(5)
  })

  const u = universe([integers('age', 100), integers('state', 10), integers('sex', 2)])
  const between = (from: number, to: number) => ({ kind: 'interval', from, to }) as const
  const byAge = (factors: Parameters<typeof count>[0]): LinearQuery => ({
    ...count(factors),
    by: [{ attribute: 'age' }],
  })
  const values = Array.from({ length: 100 }, (_, age) => age)
  const variance = varianceOf(lawOf(law)!)
  const opened = (...list: Measurement[]) => historyOf(u, list, { mostScalars: 0 })
  const [young, youngSum] = [between(0, 49), (49 * 50) / 2]

  test('the cells of a table add up to a question, and several tables count by their precisions', () => {
    const noisier: NoiseLaw = { kind: 'laplace', scale: rational(30) }
    const table = byAge({ state: code(3) })
    const history = opened(measured('1.0', table, values), measured('2.0', table, values, noisier))
    const { estimate, variance: own, sources } = found(history.estimate(count({ state: code(3), age: young })))
    expect(estimate).toBeCloseTo(youngSum, 9)
    expect(own).toBeCloseTo(50 / (1 / variance + 1 / varianceOf(lawOf(noisier)!)), 6)
    expect(sources.map(({ id }) => id)).toEqual(['1.0', '2.0'])
    expect(history.estimate(count({ state: code(4), age: young })).estimable).toBe(false)
    expect(history.estimate(count({ age: young })).estimable).toBe(false)
  })

  test('a refined table counts once', () => {
    const finer: NoiseLaw = { kind: 'laplace', scale: rational(1) }
    const history = opened(measured('1.0', byAge({ state: code(3) }), values))
    history.append(measured('2.0', byAge({ state: code(3) }), values, finer), { replaces: '1.0' })
    const { variance: own, sources } = found(history.estimate(count({ state: code(3), age: code(7) })))
    expect(own).toBe(varianceOf(lawOf(finer)!))
    expect(sources.map(({ id }) => id)).toEqual(['2.0'])
    const again = () => history.append(measured('3.0', byAge({ state: code(3) }), values), { replaces: '1.0' })
    expect(again).toThrow('there is no measurement 1.0')
  })

  test('tables tell together what none tells by itself: parts, the rest, and a group that the question cuts through', () => {
    const parts = opened(...Array.from({ length: 10 }, (_, k) => measured(`${k}.0`, byAge({ state: code(k) }), values)))
    const sum = found(parts.estimate(count({ age: young })))
    expect(sum.estimate).toBeCloseTo(10 * youngSum, 6)
    expect(sum.variance).toBeCloseTo(500 * variance, 4)
    const rest = opened(measured('1.0', byAge({}), values), measured('2.0', byAge({ sex: code(0) }), values))
    const other = found(rest.estimate(count({ age: young, sex: code(1) })))
    expect(other.estimate).toBeCloseTo(0, 6)
    const coarse = { ...countAll, by: [{ attribute: 'age', groups: [between(0, 39), between(40, 59)] }] }
    const cut = opened(measured('1.0', coarse, [780, 990]), measured('2.0', byAge({ age: between(50, 99) }), values))
    const { estimate, variance: own } = found(cut.estimate(count({ age: young })))
    expect(estimate).toBeCloseTo(780 + 990 - 545, 9)
    expect(own).toBeCloseTo(12 * variance, 6)
  })
})

describe('what is bought to be combined', () => {
  test('one more answer to a question adds at least its own precision, whatever else was chosen', () => {
    fc.assert(
      fc.property(scenario, ({ u, tables, asked }) => {
        const history = openHistory(u, { random: seededBits(2).uniform, mostScalars: 0 })
        for (const [i, { query, laws }] of tables.entries())
          for (const [k, noise] of laws.entries())
            history.append({ id: `${i}.${k}`, query, law: noise, values: new Float64Array(answerSize(query, u)) })
        for (const [i, question] of asked.entries()) {
          const before = history.estimate(question)
          const noise: NoiseLaw = { kind: 'laplace', scale: rational(7) }
          // A count of everybody is a full marginal, and one of nobody has no noise.
          if (!before.estimable || before.variance === 0 || marginalOver(question)) continue
          history.append({ id: `asked ${i}`, query: question, law: noise, values: Float64Array.of(0) })
          const own = varianceOf(lawOf(noise)!) * toNumber(question.step) ** 2
          const after = found(history.estimate(question))
          expect(after.variance).toBeLessThanOrEqual((1 + 2e-6) / (1 / before.variance + 1 / own))
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('many groups at once, from single tables', () => {
  test('say about each group what the table says about it', () => {
    const seen = { told: 0, not: 0 }
    fc.assert(
      fc.property(scenario, ({ u, data, tables, asked }) => {
        const history = openHistory(u, { random: seededBits(2).uniform, mostScalars: 0 })
        for (const [i, { query, laws }] of tables.entries()) {
          const values = Float64Array.from(rowsOf(query, u), (row) => along(row, data))
          history.append({ id: `${i}.0`, query, law: laws[0]!, values })
        }
        for (const query of [...asked, ...tables.map((table) => table.query)]) {
          const told = history.fromTables(query)
          seen[told ? 'told' : 'not']++
          for (const [group, row] of told ? rowsOf(query, u).entries() : []) {
            const { rounding, variance, coefficients } = told!.laws[told!.kinds[group]!]!
            const truth = toNumber(query.step) * along(row, data)
            const most = rounding.estimate + 2 ** -50 * Math.abs(truth)
            expect(Math.abs(told!.values[group]! - truth)).toBeLessThanOrEqual(most)
            expect(Math.abs(varianceOfError(coefficients) - variance)).toBeLessThanOrEqual(1e-12 * variance)
            const all = history.estimate(cellQuery(query, u, group))
            expect(found(all).variance).toBeLessThanOrEqual(variance * (1 + 2e-6))
          }
        }
      }),
      { numRuns: 100 },
    )
    expect(Math.min(seen.told, seen.not)).toBeGreaterThan(50)
  })
})
