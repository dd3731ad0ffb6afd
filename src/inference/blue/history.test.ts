import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactEstimates } from '../../../test/support/exact-estimate.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import {
  answerSize,
  combine,
  countAll,
  groupOf,
  type LinearQuery,
  type Measurement,
  marginal,
  marginalOver,
  type NoiseLaw,
  weightAt,
} from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { varianceOfError } from '../error-law/law.ts'
import { openHistory } from './open-history.ts'

const random = seededBits(1).uniform

/** Every noisy number of a measurement as a row over the universe's cells, in steps: integers. */
function rowsOf(query: LinearQuery, u: Universe): Float64Array[] {
  const cells = [...cellsOf(u)]
  const rows = Array.from({ length: answerSize(query, u) }, () => new Float64Array(cells.length))
  cells.forEach((cell, k) => {
    let group = 0
    for (const g of query.by) {
      const size = g.groups?.length ?? u.attributes[u.index.get(g.attribute)!]!.size
      const own = groupOf(g, cell[u.index.get(g.attribute)!]!)
      if (own < 0) return
      group = group * size + own
    }
    rows[group]![k] = weightAt(query, u, cell)
  })
  return rows
}

const integers = (query: LinearQuery, u: Universe): bigint[][] => rowsOf(query, u).map((row) => Array.from(row, BigInt))

/** One noisy number of a history. */
interface Noisy {
  readonly row: readonly bigint[]
  readonly y: number
  readonly variance: number
  readonly isMarginal: boolean
  readonly step: number
}

/** A sum of a few products is off by a few units of the last digit; 8 of them, and none of the twin's. */
const rounding = 8 * 2 ** -53
const weightOf = (row: readonly bigint[]) => row.reduce((sum, w) => sum + Math.abs(Number(w)), 0)
const squareOf = (row: readonly bigint[]) => row.reduce((sum, w) => sum + Number(w) ** 2, 0)
const largest = (numbers: readonly Noisy[]) =>
  Math.max(1, ...numbers.flatMap(({ row }) => row.map((w) => Math.abs(Number(w)))))

/**
 * How many units of the last digit least squares may lose (docs/algorithms/blue.md, "Rounding errors"): of m numbers,
 * m·(1 + m), and with scalars on top of marginals also what marginals leave uncertain about a scalar over its own noise.
 */
function conditionOf(numbers: readonly Noisy[]): number {
  const marginals = numbers.filter(({ isMarginal }) => isMarginal)
  const scalars = numbers.filter(({ isMarginal }) => !isMarginal)
  const worst = Math.max(0, ...marginals.map(({ variance }) => variance))
  const beside = Math.max(0, ...scalars.map(({ row, variance }) => (worst * squareOf(row)) / variance))
  return numbers.length * (1 + numbers.length + beside)
}

/** Scales k/2: the continuous law's variance, k²/2, is a fraction, and the exact twin can have it. */
const law: fc.Arbitrary<NoiseLaw> = fc
  .integer({ min: 1, max: 40 })
  .map((k) => ({ kind: 'laplace' as const, scale: rational(k, 2) }))
const scaleOf = (noise: NoiseLaw) => (noise.kind === 'laplace' ? toNumber(noise.scale) : Number.NaN)
const measuredQuery = (u: Universe): fc.Arbitrary<LinearQuery> =>
  fc.oneof(
    queryOver(u),
    queryOver(u, 'grouped'),
    fc.subarray(u.attributes.map((a) => a.name)).map((names) => marginal(names.toReversed())),
  )
const measured = (u: Universe): fc.Arbitrary<Measurement> =>
  fc.record({ query: measuredQuery(u), law }).chain(({ query, law }) => {
    const length = answerSize(query, u)
    return fc
      .array(fc.integer({ min: -50, max: 500 }), { minLength: length, maxLength: length })
      .map((values) => ({ id: '', query, law, values: Float64Array.from(values) }))
  })
const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    history: fc
      .array(measured(u), { minLength: 1, maxLength: 7 })
      .map((all) => all.map((m, k) => ({ ...m, id: `${k}.0` }))),
    count: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
    asked: fc.array(queryOver(u), { maxLength: 2 }),
    times: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 7, maxLength: 7 }),
  }),
)

describe('against least squares over explicit cells, without rounding', () => {
  test('random histories: estimable or not, estimate, variance, coefficients', () => {
    const seen = { estimable: 0, not: 0 }
    fc.assert(
      fc.property(scenario, ({ u, history, count, asked, times }) => {
        const open = openHistory(u, {
          publicCount: count,
          random: seededBits(2).uniform,
          law: (noise) => ({ kind: 'continuous-laplace', scale: scaleOf(noise) }),
        })
        for (const measurement of history) open.append(measurement)
        const numbers = history.flatMap(({ query, law: noise, values }) => {
          const rows = integers(query, u)
          const isMarginal = marginalOver(query) !== undefined
          const variance = 2 * scaleOf(noise) ** 2
          return rows.map((row, k) => ({
            row,
            y: Number(values[k]!),
            variance,
            isMarginal,
            step: toNumber(query.step),
          }))
        })
        const exact = {
          rows: numbers.map(({ row }) => row),
          answers: numbers.map(({ y }) => BigInt(y)),
          variances: numbers.map(({ variance }) => BigInt(2 * variance)),
          total: count === undefined ? undefined : BigInt(count),
        }
        // Random questions are seldom estimable; combinations of what was asked always are.
        const scalars = history.filter(({ query }) => query.by.length === 0)
        const mixed = combine(scalars.map(({ query }, k) => ({ query, times: rational(times[k]!) })))
        const questions = [...asked, mixed, marginal([])]
        const asRows = questions.map((query) => integers(query, u)[0]!)
        for (const [n, twin] of exactEstimates(exact, asRows).entries()) {
          const query = questions[n]!
          const answer = open.estimate(query)
          const row = asRows[n]!
          expect(answer.leftOut).toBe(0)
          expect(answer.estimable).toBe(twin !== undefined)
          if (!answer.estimable || !twin) {
            seen.not++
            continue
          }
          seen.estimable++
          const step = toNumber(query.step)
          const { coefficients } = twin
          const size = numbers.reduce(
            (sum, { y, row: h }, k) => {
              const mean = count === undefined ? 0 : (count * weightOf(h)) / h.length
              return sum + Math.abs(coefficients[k]!) * (Math.abs(y) + mean)
            },
            ((count ?? 0) * weightOf(row)) / row.length,
          )
          // What cancels on the way: answers, in the data's units, times the weights that they are combined with.
          const answers = numbers.reduce(
            (sum, n) => sum + n.step * Math.abs(n.y) * largest(numbers),
            (count ?? 0) * step,
          )
          expect(Math.abs(answer.estimate - step * twin.estimate)).toBeLessThanOrEqual(
            rounding * (conditionOf(numbers) * step * size + numbers.length * answers),
          )
          // A difference of which less than a thousandth is left is not taken; twice that, for twice the twin's half.
          const variance = (step * step * twin.variance) / 2
          const allowed = 1000 * rounding * numbers.length * variance
          expect(Math.abs(answer.variance - variance)).toBeLessThanOrEqual(allowed)
          expect(Math.abs(answer.variance - varianceOfError(answer.coefficients))).toBeLessThanOrEqual(allowed)
        }
      }),
      { numRuns: 400 },
    )
    // Both kinds were seen in numbers.
    expect(Math.min(seen.estimable, seen.not)).toBeGreaterThan(50)
  })
})

test('an estimate asked for too early does not stand in the way of a later one', () => {
  const u = universe([attribute({ kind: 'integer', name: 'age', low: 0, high: 9, closed: true })])
  const history = openHistory(u, { random })
  expect(history.estimate(countAll).estimable).toBe(false)
  const law = { kind: 'laplace', scale: rational(10) } as const
  history.append({ id: '2.0', query: countAll, law, values: Float64Array.of(317) })
  expect(history.estimate(countAll)).toMatchObject({ estimable: true, estimate: 317 })
})
