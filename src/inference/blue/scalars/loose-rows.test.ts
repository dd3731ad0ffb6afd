import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactEstimates } from '../../../../test/support/exact-estimate.ts'
import { cellsOf } from '../../../../test/support/queries.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { type LinearQuery, type Measurement, weightAt } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { varianceOfError } from '../../error-law/law.ts'
import { cellQuery } from '../cell-query.ts'
import { compile, Shapes } from '../compile.ts'
import { Components } from '../marginals/components.ts'
import { WholeHistory } from '../whole-history.ts'
import { Corners } from './corners.ts'
import { LooseRows } from './loose-rows.ts'

const sizes = { age: 4, level: 3, status: 3 }
const u = universe(
  Object.entries(sizes).map(([name, size]) =>
    attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 }),
  ),
)
const query = (factors: LinearQuery['terms'][number]['factors'], by: LinearQuery['by'] = []): LinearQuery => ({
  by,
  step: rational(1),
  terms: [{ coefficient: 1, factors }],
})
const range = (size: number) =>
  fc
    .tuple(fc.nat(size - 1), fc.nat(size - 1))
    .map(([x, y]) => ({ kind: 'interval' as const, from: Math.min(x, y), to: Math.max(x, y) }))

const cells = [...cellsOf(u)]
const rowOf = (of: LinearQuery) => cells.map((cell) => BigInt(weightAt(of, u, cell)))

/** Rank over the rationals, by fractions that are cleared. */
function rankOf(rows: readonly (readonly bigint[])[]): number {
  const left = rows.map((row) => [...row])
  let rank = 0
  for (let column = 0; column < (left[0]?.length ?? 0); column++) {
    const at = left.findIndex((row, i) => i >= rank && row[column] !== 0n)
    if (at < 0) continue
    ;[left[rank], left[at]] = [left[at]!, left[rank]!]
    const pivot = left[rank]!
    for (let i = rank + 1; i < left.length; i++) {
      const times = left[i]![column]!
      if (times !== 0n) left[i] = left[i]!.map((value, j) => value * pivot[column]! - times * pivot[j]!)
    }
    rank++
  }
  return rank
}

/** What is left of a function of the cells when its mean over the status is taken out, three times over. */
const withoutMean = (row: readonly bigint[]): bigint[] =>
  row.map((value, cell) => {
    const others = cells.flatMap(([age, level], i) =>
      age === cells[cell]![0] && level === cells[cell]![1] ? [row[i]!] : [],
    )
    return 3n * value - others.reduce((sum, other) => sum + other, 0n)
  })

test('loose rows have no function in common with those that do not depend on the attribute', () => {
  const seen = { loose: 0, not: 0, dependent: 0, between: 0 }
  const rows = fc.array(fc.record({ age: range(4), level: range(3), status: range(3) }), {
    minLength: 2,
    maxLength: 12,
  })
  fc.assert(
    fc.property(rows, (list) => {
      const [shapes, corners] = [new Shapes(), new Corners(new Components(u))]
      const vectors = list.map((factors) => {
        const of = query(factors)
        const weights = compile(of, u, shapes)
        return { of, weights, sparse: corners.of(weights)! }
      })
      const found = new LooseRows<(typeof vectors)[number]>(2, corners)
      for (const [i, vector] of vectors.entries()) {
        found.add(vector)
        // Asked in between: what was loose may be joined by others later on.
        if (i % 3 === 0) seen.between += found.rows.length
      }
      const loose = found.rows
      const full = loose.map(({ of }) => rowOf(of))
      expect(rankOf(full.map(withoutMean))).toBe(rankOf(full))
      // Power: together with the rest of those that depend on it, they have nothing in common with the others either.
      const depends = vectors.filter(({ of }) => withoutMean(rowOf(of)).some((value) => value !== 0n))
      const others = depends.filter((row) => !loose.includes(row)).map(({ of }) => rowOf(of))
      const common = (part: readonly (readonly bigint[])[]) => rankOf(part) - rankOf(part.map(withoutMean))
      expect(common([...others, ...full])).toBe(common(others))
      seen.loose += loose.length
      seen.not += others.length
      if (rankOf(full) < loose.length) seen.dependent++
    }),
    { numRuns: 400 },
  )
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(20)
})

/** Tables by level beside ranges by level and status, of which few hang together: these keep no tables from being split. */
const table = fc.record({ age: range(4) }).map((factors) => ({ of: query(factors, [{ attribute: 'level' }]), size: 3 }))
const scattered = fc
  .record({ age: range(4), level: range(3), status: range(3) })
  .map((factors) => ({ of: query(factors), size: 1 }))
const measured = fc.oneof({ weight: 3, arbitrary: table }, { weight: 1, arbitrary: scattered }).chain(({ of, size }) =>
  fc.record({
    of: fc.constant(of),
    scale: fc.integer({ min: 1, max: 9 }),
    values: fc.array(fc.integer({ min: -50, max: 500 }), { minLength: size, maxLength: size }),
  }),
)
const scalars = ({ query: of, values }: Measurement): LinearQuery[] =>
  of.by.length > 0 ? Array.from({ length: values.length }, (_, cell) => cellQuery(of, u, cell)) : [of]
const scaleOf = ({ law }: Measurement) => (law.kind === 'laplace' ? Number(law.scale.num) : Number.NaN)

test('an estimate without loose rows is that of least squares over all rows and explicit cells', () => {
  const seen = { apart: 0, joint: 0, not: 0 }
  fc.assert(
    fc.property(fc.array(measured, { minLength: 6, maxLength: 16 }), range(4), range(3), (list, age, status) => {
      const history = list.map(
        ({ of, scale, values }, i): Measurement => ({
          id: `${i}`,
          query: of,
          law: { kind: 'laplace', scale: rational(scale) },
          values: Float64Array.from(values),
        }),
      )
      const whole = new WholeHistory(u, {
        random: seededBits(7).uniform,
        law: (law) => ({ kind: 'continuous-laplace', scale: law.kind === 'laplace' ? Number(law.scale.num) : 0 }),
      })
      const level = { kind: 'interval', from: 1, to: 1 } as const
      // One after the other, with questions of all kinds in between.
      const asked = [query({ age }), query({ age, level }), query({ age, level, status })]
      for (const [i, measurement] of history.entries()) {
        whole.append(measurement)
        whole.estimate(asked[i % 3]!)
      }
      const questions = [...asked, ...history.flatMap(scalars)]
      const exact = exactEstimates(
        {
          rows: history.flatMap((m) => scalars(m).map(rowOf)),
          answers: history.flatMap(({ values }) => Array.from(values as Float64Array, BigInt)),
          variances: history.flatMap((m) => scalars(m).map(() => BigInt(2 * scaleOf(m) ** 2))),
        },
        questions.map(rowOf),
      )
      const hasScattered = history.some(({ query: of }) => of.by.length === 0)
      for (const [n, twin] of exact.entries()) {
        const isApart = whole.tellsApart(questions[n]!)
        const answer = whole.estimate(questions[n]!)
        expect(answer.estimable).toBe(twin !== undefined)
        if (!answer.estimable || !twin) seen.not++
        else {
          if (hasScattered) seen[isApart ? 'apart' : 'joint']++
          // As for tables that are split: up to 48 numbers, 3·10^-13 of what is added up, below 10^5.
          expect(answer.estimate).toBeCloseTo(twin.estimate, 6)
          expect(answer.variance / twin.variance).toBeCloseTo(1, 9)
          expect(varianceOfError(answer.coefficients) / twin.variance).toBeCloseTo(1, 9)
        }
      }
    }),
    { numRuns: 60 },
  )
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(20)
})
