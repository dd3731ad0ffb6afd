import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import {
  answerSize,
  countAll,
  groupOf,
  type LinearQuery,
  marginal,
  type NoiseLaw,
  weightAt,
} from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { lawOf, varianceOf, varianceOfError } from '../error-law/law.ts'
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

const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 999_999, closed: true }),
  attribute({ kind: 'integer', name: 'city', low: 0, high: 999_999, closed: true }),
])
const interval = (from: number, to: number) => ({ kind: 'interval' as const, from, to })
const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: interval(from, to) } }],
})
const cells = new Cells(people)
const opened = (question: LinearQuery, mostScalars = 5000) =>
  new PriorHistory(cells, cells.question(question), { deviation: 10, publicCount: false, mostScalars })

test('a refined answer is worth as much as if it alone had been given, and has its noise', () => {
  const [question, other] = [ages(5, 5), ages(4, 6)]
  const [refined, direct] = [opened(question), opened(question)]
  refined.append('first', question, laplace(9))
  refined.append('other', other, laplace(2))
  refined.append('second', question, laplace(5), 'first')
  refined.append('third', question, laplace(3), 'second')
  direct.append('other', other, laplace(2))
  direct.append('third', question, laplace(3))
  const [belief, twin] = [refined.belief()!, direct.belief()!]
  expect(belief.variance).toBeCloseTo(twin.variance, 9)
  const noises = ({ coefficients }: typeof belief) =>
    [...coefficients].sort((x, y) => varianceOf(x.law) - varianceOf(y.law))
  expect(noises(belief).map(({ law }) => law)).toEqual(noises(twin).map(({ law }) => law))
  for (const [i, { coefficient }] of noises(belief).entries())
    expect(coefficient).toBeCloseTo(noises(twin)[i]!.coefficient, 9)
})

test('a fork goes its own way', () => {
  const history = opened(ages(5, 5))
  history.append('wide', ages(0, 9), laplace(1))
  const before = history.belief()!
  const fork = history.fork()
  fork.append('rest', ages(6, 9), laplace(1))
  fork.append('table', marginal(['age']), laplace(1))
  expect(fork.belief()!.variance).toBeLessThan(before.variance)
  history.append('far', ages(100, 200), laplace(1))
  expect(history.belief()!.variance).toBeCloseTo(before.variance, 9)
})

test('nothing is said where the question is lost among the digits of far larger ones', () => {
  // One cell in 10^12, as the difference of everybody and everybody else: a covariance has some 16 digits.
  const one: LinearQuery = {
    ...countAll,
    terms: [{ coefficient: 1, factors: { age: interval(5, 5), city: interval(7, 7) } }],
  }
  const others = { ...countAll, terms: [...countAll.terms, { ...one.terms[0]!, coefficient: -1 }] }
  const history = opened(one)
  history.append('all', countAll, laplace(1))
  expect(history.belief()!.variance).toBeCloseTo(100, 6)
  history.append('others', others, laplace(1))
  expect(history.belief()).toBeUndefined()
  // The same of one age in 10^6 is well within them.
  const age = opened(ages(5, 5))
  age.append('all', countAll, laplace(1))
  age.append(
    'others',
    { ...countAll, terms: [...countAll.terms, { ...ages(5, 5).terms[0]!, coefficient: -1 }] },
    laplace(1),
  )
  expect(age.belief()!.variance).toBeLessThan(4.1)
})

test('more answers than can be looked at together are too many', () => {
  const history = opened(ages(5, 5), 3)
  for (const age of [1, 2, 3]) history.append(String(age), ages(age, age), laplace(1))
  expect(history.isTooLarge).toBe(false)
  history.append('one more', ages(9, 9), laplace(1))
  expect(history.isTooLarge).toBe(true)
  const grouped = opened(ages(5, 5), 3)
  grouped.append('groups', { ...ages(0, 99), by: [{ attribute: 'age' }] }, laplace(1))
  expect(grouped.isTooLarge).toBe(true)
})

test('a marginal that is tried beside many scalars tells what it does when it is kept', () => {
  const u = universe(
    [4, 3, 5].map((size, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: size, closed: true })),
  )
  const interval = (size: number, i: number, j: number) =>
    ({ kind: 'interval', from: Math.min(i % size, j % size), to: Math.max(i % size, j % size) }) as const
  const range = (i: number, j: number): LinearQuery => ({
    ...countAll,
    terms: [
      { coefficient: 1, factors: { a0: interval(4, i, j), a1: interval(3, j, i + j), a2: interval(5, i + 1, j) } },
    ],
  })
  for (const publicCount of [false, true]) {
    const cells = new Cells(u)
    const history = new PriorHistory(cells, cells.question(range(1, 2)), {
      deviation: 20,
      mostScalars: 200,
      publicCount,
    })
    for (let i = 0; i < 80; i++) history.append(`s${i}`, range(i, 7 * i + 3), laplace(10 + i))
    history.append('before', marginal(['a2']), laplace(30))
    for (const names of [['a0'], ['a0', 'a1'], ['a2']]) {
      const [tried, kept] = [history.fork(), history.fork()]
      tried.try('new', marginal(names), laplace(5))
      kept.append('new', marginal(names), laplace(5))
      const [a, b] = [tried.belief()!, kept.belief()!]
      // Two ways to one number, each through a system of 80 rows.
      expect(a.variance / b.variance).toBeCloseTo(1, 9)
      expect(varianceOfError(a.coefficients) / varianceOfError(b.coefficients)).toBeCloseTo(1, 9)
      expect(a.variance).toBeLessThan(history.belief()!.variance)
    }
  }
})
