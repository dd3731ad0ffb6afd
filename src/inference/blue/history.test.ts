import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  type NoiseLaw,
  weightAt,
} from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { lawOf, varianceOf, varianceOfError } from '../posterior/law.ts'
import { denseEstimate } from './dense.ts'
import { openHistory } from './history.ts'

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

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))
const primitive = (row: bigint[]): bigint[] => {
  const common = row.reduce(gcd, 0n)
  return common > 1n ? row.map((value) => value / common) : row
}
/** Is the row a combination of the others, over the rationals? By elimination without fractions. */
function spans(rows: readonly bigint[][], row: readonly bigint[]): boolean {
  const echelon: { pivot: number; row: bigint[] }[] = []
  const reduce = (given: readonly bigint[]): bigint[] =>
    echelon.reduce(
      (rest, e) => {
        const [p, q] = [e.row[e.pivot]!, rest[e.pivot]!]
        return q === 0n ? rest : primitive(rest.map((value, i) => value * p - q * e.row[i]!))
      },
      [...given],
    )
  for (const next of rows) {
    const rest = reduce(next)
    const pivot = rest.findIndex((value) => value !== 0n)
    if (pivot >= 0) echelon.push({ pivot, row: rest })
  }
  return reduce(row).every((value) => value === 0n)
}
const integers = (query: LinearQuery, u: Universe): bigint[][] => rowsOf(query, u).map((row) => Array.from(row, BigInt))

/** The dense form with the count known: cells are known but for differences that add up to 0. */
function denseWithCount(history: Parameters<typeof denseEstimate>[0], y: number[], q: Float64Array, count?: number) {
  const mean = (row: Float64Array) => (count === undefined ? 0 : row.reduce((sum, w) => sum + w, 0) / row.length)
  const centred = (row: Float64Array) => {
    const sum = count === undefined ? 0 : row.reduce((all, w) => all + w, 0)
    return row.map((w) => (w * row.length - sum) / row.length) // exactly 0 where it is 0
  }
  const rows = history.rows.map(centred)
  const found = denseEstimate({ ...history, rows }, centred(q))
  if (!found) return undefined
  const left = y.map((value, k) => value - mean(history.rows[k]!) * (count ?? 0))
  return {
    ...found,
    estimate: found.coefficients.reduce((sum, a, k) => sum + a * left[k]!, mean(q) * (count ?? 0)),
    /** Answers in standard deviations, in all: a rounding error in A is relative to √(variance/its variance). */
    size: left.reduce((sum, value, k) => sum + Math.abs(value) / Math.sqrt(history.variances[k]!), 1),
  }
}

const largestWeight = (rows: readonly Float64Array[]): number =>
  rows.reduce((most, row) => row.reduce((m, w) => Math.max(m, Math.abs(w)), most), 1)

const law: fc.Arbitrary<NoiseLaw> = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((b) => ({ kind: 'laplace' as const, scale: rational(b, 2) })),
  fc.integer({ min: 1, max: 400 }).map((v) => ({ kind: 'gaussian' as const, variance: rational(v, 2) })),
)
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

describe('against least squares over explicit cells', () => {
  test('random histories: estimable or not, estimate, variance, coefficients', () => {
    const seen = { estimable: 0, not: 0, aside: 0 }
    fc.assert(
      fc.property(scenario, ({ u, history, count, asked, times }) => {
        const open = openHistory(u, { publicCount: count, random: seededBits(2).uniform })
        for (const measurement of history) open.append(measurement)
        const rows = history.flatMap(({ query }) => rowsOf(query, u))
        const variances = history.flatMap(({ law, values }) =>
          Array.from(values as Float64Array, () => varianceOf(lawOf(law)!)),
        )
        const y = history.flatMap(({ values }) => Array.from(values as Float64Array))
        const exact = history.flatMap(({ query }) => integers(query, u))
        if (count !== undefined) exact.push(...integers(marginal([]), u))

        // Random questions are seldom estimable; combinations of what was asked always are.
        const scalars = history.filter(({ query }) => query.by.length === 0)
        const mixed = combine(scalars.map(({ query }, k) => ({ query, times: rational(times[k]!) })))
        for (const query of [...asked, mixed, marginal([])]) {
          const answer = open.estimate(query)
          const [row] = rowsOf(query, u)
          const isSpanned = spans(exact, integers(query, u)[0]!)
          if (answer.leftOut > 0) {
            // An answer too near to others was set aside: less may be told than could be, never more.
            if (answer.estimable) expect(isSpanned).toBe(true)
            seen.aside++
            continue
          }
          expect(answer.estimable).toBe(isSpanned)
          if (!answer.estimable) {
            seen.not++
            continue
          }
          seen.estimable++
          const step = toNumber(query.step)
          const twin = denseWithCount({ rows, variances }, y, row!, count)!
          const variance = step * step * twin.variance
          // Rounding errors of both: weights up to 10^3 beside 1, variances up to 10^3 beside 1. Inner products square
          // the weights, and a question that the answers hardly tell has a variance far above theirs: the system's
          // condition number is at most the product of the two, and each of its units costs one of the last digit.
          const condition = (twin.variance / Math.min(...variances)) * largestWeight(rows) ** 2
          const relative = 1e-9 + 2 ** -52 * condition
          const deviations = Math.sqrt(variance) * twin.size + Math.abs(answer.estimate)
          // A known count and the answers enter times the weights, and may cancel: some 64 roundings of that size.
          const largest = Math.max(count ?? 0, ...y.map(Math.abs), Math.sqrt(Math.max(...variances)))
          const known = 2 ** -46 * step * y.length * largest * largestWeight([...rows, row!])
          expect(Math.abs(answer.estimate - step * twin.estimate)).toBeLessThanOrEqual(
            relative * deviations + known + 1e-12,
          )
          // The variance is a difference of such products; of a question that is 0 everywhere nothing is left but this.
          const cancelled =
            2 ** -50 * step ** 2 * y.length * Math.max(...variances) * largestWeight([...rows, row!]) ** 2
          const allowed = relative * variance + cancelled + 1e-12
          expect(Math.abs(answer.variance - variance)).toBeLessThanOrEqual(allowed)
          const added = varianceOfError(answer.coefficients)
          expect(Math.abs(answer.variance - added)).toBeLessThanOrEqual(allowed)
        }
      }),
      { numRuns: 400 },
    )
    // Both kinds were seen in numbers.
    expect(Math.min(seen.estimable, seen.not)).toBeGreaterThan(50)
    // One history in some thousands sets an answer aside, and asks up to four questions.
    expect(seen.aside).toBeLessThan(20)
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
