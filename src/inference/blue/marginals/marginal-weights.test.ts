import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { answerSize, countAll, type LinearQuery, type Measurement, marginal } from '../../../query/index.ts'
import { attribute, type Universe, universe } from '../../../schema/index.ts'
import type { Term } from '../../error-law/law.ts'
import type { Estimated } from '../estimate.ts'
import { openHistory } from '../open-history.ts'

const over = (...sizes: number[]) =>
  universe(sizes.map((n, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: n, closed: true })))

const interval = (from: number, to: number) => ({ kind: 'interval', from, to }) as const
const countWhere = (factors: LinearQuery['terms'][number]['factors']): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors }],
})

function estimate(u: Universe, measurements: readonly Measurement[], query: LinearQuery): Estimated {
  const history = openHistory(u, { random: seededBits(3).uniform })
  for (const measurement of measurements) history.append(measurement)
  const made = history.estimate(query)
  if (!made.estimable) throw new RangeError('the history tells this')
  return made
}

const zeros = (u: Universe, attributes: readonly string[], scale: number, id: string): Measurement => {
  const query = marginal(attributes)
  const values = new Float64Array(answerSize(query, u))
  return { id, query, law: { kind: 'laplace', scale: rational(scale) }, values }
}

/** An estimate is linear in the answers: what it says when one noisy cell is 1 and all others 0 is that cell's coefficient. */
const oneByOne = (u: Universe, measurements: readonly Measurement[], query: LinearQuery): Term[] =>
  measurements.flatMap((measurement, m) =>
    Array.from({ length: measurement.values.length }, (_, cell): Term => {
      const answers = measurements.slice()
      answers[m] = { ...measurement, values: new Float64Array(measurement.values.length).fill(1, cell, cell + 1) }
      if (measurement.law.kind !== 'laplace') throw new RangeError('all noise here is Laplace')
      const scale = Number(measurement.law.scale.num)
      return { law: { kind: 'laplace', scale }, coefficient: estimate(u, answers, query).estimate, count: 1 }
    }),
  )

/** Every noise by itself, in an order that does not depend on how they were grouped; those that rounding makes left out. */
const listed = (terms: readonly Term[]) =>
  terms
    .flatMap((term) => Array.from({ length: term.count }, () => term))
    .filter(({ coefficient }) => Math.abs(coefficient) > 1e-12)
    .map(({ law, coefficient }) => ({ scale: 'scale' in law ? law.scale : 0, coefficient }))
    .sort((x, y) => x.scale - y.scale || x.coefficient - y.coefficient)

describe('the coefficients of noisy cells', () => {
  const u = over(2, 3, 2, 4)
  const sets = [
    ['a0', 'a1'],
    ['a2', 'a1'],
    ['a0', 'a2'],
    ['a3', 'a0'],
    ['a1', 'a3'],
    ['a2', 'a3'],
    ['a0', 'a1'],
    ['a2'],
    [],
  ]
  const questions: [string, LinearQuery][] = [
    ['a cell', countWhere({ a0: interval(0, 0), a2: interval(1, 1) })],
    ['a range', countWhere({ a3: interval(1, 2) })],
    ['all records', countAll],
    [
      'a sum of two',
      {
        ...countAll,
        terms: [
          { coefficient: 2, factors: { a1: interval(1, 2) } },
          { coefficient: -1, factors: { a0: interval(1, 1), a3: interval(0, 1) } },
        ],
      },
    ],
  ]
  for (const [what, scaleOf] of [
    ['of one law', () => 5],
    ['of two laws', (i: number) => 5 + (i % 2)],
    ['each of its own', (i: number) => 5 + i],
  ] as const)
    test.each(questions)(`are those found one by one, ${what}: %s`, (_, query) => {
      const measurements = sets.map((attributes, i) => zeros(u, attributes, scaleOf(i), String(i)))
      const made = estimate(u, measurements, query)
      const [grouped, single] = [listed(made.coefficients), listed(oneByOne(u, measurements, query))]
      expect(grouped.length).toBe(single.length)
      for (const [i, { scale, coefficient }] of single.entries()) {
        expect(grouped[i]!.scale).toBe(scale)
        expect(grouped[i]!.coefficient).toBeCloseTo(coefficient, 12)
      }
    })

  test('tables that meet the question alike come together, however many there are', () => {
    const many = over(...Array(27).fill(3))
    const names = many.attributes.map(({ name }) => name)
    const triples = names.flatMap((a, i) =>
      names.slice(i + 1).flatMap((b, j) => names.slice(i + j + 2).map((c) => [a, b, c])),
    )
    expect(triples.length).toBe(2925)
    const measurements = triples.map((attributes, i) => zeros(many, attributes, 300, String(i)))
    const { coefficients, variance } = estimate(
      many,
      measurements,
      countWhere({ a3: interval(0, 0), a9: interval(0, 0), a20: interval(0, 0) }),
    )
    // One for none of the attributes in common, two for each of one, four for each two, eight for all three.
    expect(coefficients.length).toBe(1 + 3 * 2 + 3 * 4 + 8)
    expect(coefficients.reduce((sum, { count }) => sum + count, 0)).toBe(2925 * 27)
    const v = 1 / (2 * Math.sinh(1 / 600) ** 2)
    const squares = coefficients.reduce((sum, { coefficient, count }) => sum + count * coefficient ** 2, 0)
    expect((squares * v) / variance).toBeCloseTo(1, 12)
  })

  test('of a table that is all there is are 1 and nothing else, whatever its sizes', () => {
    for (const sizes of [
      [2, 3, 2],
      [7, 11, 3],
      [3, 3, 3],
      [5, 13, 49],
    ]) {
      const w = over(...sizes)
      const names = w.attributes.map(({ name }) => name)
      const question = countWhere(Object.fromEntries(names.map((name) => [name, interval(0, 0)])))
      const { coefficients } = estimate(w, [zeros(w, names, 10, 'm')], question)
      expect(coefficients.length).toBe(1)
      expect(coefficients[0]!.count).toBe(1)
      expect(coefficients[0]!.coefficient).toBeCloseTo(1, 12)
    }
  })
})
