import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import { answerSize, groupOf, type LinearQuery, marginal, type NoiseLaw, weightAt } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { lawOf, varianceOf, varianceOfError } from '../posterior/law.ts'
import { Cells } from './cells.ts'
import { openShare, PriorHistory } from './prior-history.ts'

const laplace = (b: number): NoiseLaw => ({ kind: 'laplace', scale: rational(Math.round(b * 100), 100) })
interface Charge {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}
interface Known {
  readonly publicCount: boolean
  /** The codes of each attribute that somebody may have. */
  readonly sizes: readonly number[]
}

/**
 * The twin: every cell that may hold somebody is a Gaussian number of its own, and one noisy number after the other is
 * taken in. A public number of records is one without noise. Returns the question's variance, in its own units.
 */
function byCells(u: Universe, charges: readonly Charge[], question: LinearQuery, deviation: number, known: Known) {
  const cells = [...cellsOf(u)].filter((cell) => cell.every((code, i) => code < known.sizes[i]!))
  const weights = (q: LinearQuery) => cells.map((cell) => weightAt(q, u, cell))
  const asked = weights(question).map((weight) => weight * toNumber(question.step))
  const covariance = cells.map((_, i) => cells.map((_, j) => (i === j ? 1 : 0)))
  const along = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  const varianceOfQuestion = () =>
    along(
      asked,
      covariance.map((row) => along(row, asked)),
    )
  const takeIn = (row: readonly number[], variance: number) => {
    const image = covariance.map((of) => along(of, row))
    const total = along(row, image) + variance
    if (total > 1e-12)
      for (const [i, of] of covariance.entries()) for (const j of of.keys()) of[j]! -= (image[i]! * image[j]!) / total
  }
  if (known.publicCount)
    takeIn(
      cells.map(() => 1),
      0,
    )
  const scale = deviation ** 2 / varianceOfQuestion()
  for (const row of covariance) for (const j of row.keys()) row[j]! *= scale
  for (const { query, law } of charges) {
    const whole = weights(query)
    const variance = varianceOf(lawOf(law)!)
    for (let group = 0; group < answerSize(query, u); group++)
      takeIn(
        whole.map((weight, i) => (groupAt(query, u, cells[i]!) === group ? weight : 0)),
        variance,
      )
  }
  return varianceOfQuestion()
}
function groupAt(query: LinearQuery, u: Universe, cell: readonly number[]): number {
  return query.by.reduce((at, g) => {
    const size = g.groups?.length ?? u.attributes[u.index.get(g.attribute)!]!.size
    const group = groupOf(g, cell[u.index.get(g.attribute)!]!)
    return group < 0 ? Number.NaN : at * size + group
  }, 0)
}

function believed(u: Universe, charges: readonly Charge[], question: LinearQuery, deviation: number, known: Known) {
  const cells = new Cells(u, known.sizes)
  const history = new PriorHistory(cells, cells.question(question), { deviation, mostScalars: 5000, ...known })
  for (const [i, { query, law }] of charges.entries()) history.append(String(i), query, law)
  return history.belief()
}

const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    question: queryOver(u),
    charges: fc.array(
      fc.record({
        query: fc.oneof(
          queryOver(u, 'grouped'),
          fc.subarray(u.attributes.map(({ name }) => name)).map((names) => marginal(names)),
        ),
        law: fc.constantFrom(0.5, 2, 10, 300).map(laplace),
      }),
      { maxLength: 6 },
    ),
    publicCount: fc.boolean(),
    sizes: fc.tuple(...u.attributes.map(({ size }) => fc.integer({ min: 1, max: size }))),
  }),
)

test('with marginals by components and scalars by one system as with every cell by itself', () => {
  fc.assert(
    fc.property(scenario, ({ u, question, charges, publicCount, sizes }) => {
      const known = { publicCount, sizes }
      const cells = new Cells(u, sizes)
      fc.pre(openShare(cells.question(question), known) > 1e-9)
      const belief = believed(u, charges, question, 40, known)!
      const twin = byCells(u, charges, question, 40, known)
      expect(belief.variance).toBeGreaterThan(twin - 1e-6)
      expect(belief.variance).toBeLessThan(twin + 1e-6)
      // The error's parts make up its variance.
      expect(Math.abs(varianceOfError(belief.coefficients) - belief.variance)).toBeLessThan(1e-6)
    }),
    { numRuns: 500, seed: 4 },
  )
})
