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
import { WholeHistory } from '../whole-history.ts'

const sizes = { age: 5, level: 3, gender: 2 }
const u = universe(
  Object.entries(sizes).map(([name, size]) =>
    attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 }),
  ),
)
const one = rational(1)
const query = (factors: LinearQuery['terms'][number]['factors'], by: LinearQuery['by'] = []): LinearQuery => ({
  by,
  step: one,
  terms: [{ coefficient: 1, factors }],
})
const ages = fc
  .tuple(fc.nat(4), fc.nat(4))
  .map(([x, y]) => ({ kind: 'interval' as const, from: Math.min(x, y), to: Math.max(x, y) }))
const some = (size: number) => fc.nat(size - 1).map((code) => ({ kind: 'interval' as const, from: code, to: code }))

const groupsOf = { of: [{ attribute: 'level' }], size: sizes.level }
const table = fc.record({ age: ages }).map((factors) => ({ query: query(factors, groupsOf.of), size: groupsOf.size }))
const byGender = fc
  .record({ age: ages, gender: some(2) }, { requiredKeys: ['age'] })
  .map((factors) => ({ query: query(factors), size: 1 }))
/** Rarely something else depends on the attribute of the groups: then the tables are none. */
const byLevel = fc.record({ age: ages, level: some(3) }).map((factors) => ({ query: query(factors), size: 1 }))
const measured = fc
  .oneof({ weight: 10, arbitrary: table }, { weight: 10, arbitrary: byGender }, { weight: 1, arbitrary: byLevel })
  .chain(({ query: asked, size }) =>
    fc.record({
      query: fc.constant(asked),
      scale: fc.integer({ min: 1, max: 9 }),
      values: fc.array(fc.integer({ min: -50, max: 500 }), { minLength: size, maxLength: size }),
    }),
  )

const cells = [...cellsOf(u)]
const rowOf = (of: LinearQuery) => cells.map((cell) => BigInt(weightAt(of, u, cell)))
const scalars = ({ query: of, values }: Measurement): LinearQuery[] =>
  of.by.length > 0 ? Array.from({ length: values.length }, (_, cell) => cellQuery(of, u, cell)) : [of]
const scaleOf = ({ law }: Measurement) => (law.kind === 'laplace' ? Number(law.scale.num) : Number.NaN)

/** Without rounding. Scales are k: the continuous law's variance is 2·k². */
const exactly = (history: readonly Measurement[], questions: readonly LinearQuery[]) =>
  exactEstimates(
    {
      rows: history.flatMap((m) => scalars(m).map(rowOf)),
      answers: history.flatMap(({ values }) => Array.from(values as Float64Array, BigInt)),
      variances: history.flatMap((m) => scalars(m).map(() => BigInt(2 * scaleOf(m) ** 2))),
    },
    questions.map(rowOf),
  )

test('tables by the same groups beside other answers: as least squares over explicit cells', () => {
  const seen = { groups: 0, sums: 0, joint: 0, not: 0 }
  fc.assert(
    fc.property(fc.array(measured, { minLength: 4, maxLength: 14 }), fc.nat(13), ages, (list, forked, between) => {
      const history = list.map(
        ({ query: of, scale, values }, i): Measurement => ({
          id: `${i}`,
          query: of,
          law: { kind: 'laplace', scale: rational(scale) },
          values: Float64Array.from(values),
        }),
      )
      let whole = new WholeHistory(u, {
        random: seededBits(5).uniform,
        law: (law) => ({ kind: 'continuous-laplace', scale: law.kind === 'laplace' ? Number(law.scale.num) : 0 }),
      })
      // One after the other, with questions in between, and the rest in a fork.
      for (const [i, measurement] of history.entries()) {
        whole.append(measurement)
        if (i % 3 === 0) whole.estimate(query({ age: between, level: { kind: 'interval', from: 1, to: 1 } }))
        if (i === forked) whole = whole.fork()
      }
      const gender = { kind: 'interval', from: 0, to: 0 } as const
      const questions = [...history.flatMap(scalars), query({ age: between }), query({ age: between, gender })]
      for (const [n, twin] of exactly(history, questions).entries()) {
        const isApart = whole.tellsApart(questions[n]!)
        const answer = whole.estimate(questions[n]!)
        expect(answer.estimable).toBe(twin !== undefined)
        if (!answer.estimable || !twin) {
          seen.not++
          continue
        }
        seen[isApart ? ('level' in questions[n]!.terms[0]!.factors ? 'groups' : 'sums') : 'joint']++
        // Up to 42 numbers lose at most 42·43 units of 2^-53, 2·10^-13, of what is added up, below 10^5.
        expect(answer.estimate).toBeCloseTo(twin.estimate, 6)
        expect(answer.variance / twin.variance).toBeCloseTo(1, 9)
        expect(varianceOfError(answer.coefficients) / twin.variance).toBeCloseTo(1, 9)
      }
    }),
    { numRuns: 30 },
  )
  // All ways were gone.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(20)
})
