import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one } from '../../numeric/index.ts'
import { countAll, type Factor, type LinearQuery } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { errorLawByCharacteristic } from '../error-law/characteristic.ts'
import { sampler } from '../error-law/sample.ts'
import { chanceOfDisagreement } from './agreement.ts'
import type { DrawnLaw, ScalarAnswer } from './answer.ts'
import { flatBelief } from './belief.ts'
import { evidenceOf } from './evidence.ts'

const { uniform: random } = seededBits(3)
const people = universe([attribute({ kind: 'integer', name: 'age', closed: true, low: 0, high: 9 })])
/** The number of those from one age to another. */
const ages = (from: number, to = from): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
  step: one,
})
const laplace = (scale: number): DrawnLaw => ({ kind: 'laplace', scale })
const gaussian = (variance: number): DrawnLaw => ({ kind: 'gaussian', variance })
const answer = (query: LinearQuery, value: number, law: DrawnLaw): ScalarAnswer => ({ query, value, law })
const beliefOf = (answers: readonly ScalarAnswer[], question: LinearQuery) =>
  flatBelief(evidenceOf(answers, question, { universe: people, random })!)!

const density = (law: DrawnLaw, k: number) =>
  law.kind === 'laplace' ? Math.exp(-Math.abs(k) / law.scale) : Math.exp((-k * k) / (2 * law.variance))
/** Pr(holds) by adding up over every (a, b) in a square, the likelihood of all answers at a and b being known. */
function bruteForce(
  likelihood: (a: number, b: number) => number,
  holds: (a: number, b: number) => boolean,
  reach: readonly [number, number],
) {
  let [held, all] = [0, 0]
  for (let a = reach[0]; a <= reach[1]; a++)
    for (let b = reach[0]; b <= reach[1]; b++) {
      const p = likelihood(a, b)
      all += p
      if (holds(a, b)) held += p
    }
  return held / all
}

describe('two answers of scale 100 at 0 and 1,000', () => {
  const answers = [answer(ages(0, 4), 0, laplace(100)), answer(ages(0, 4), 1000, laplace(100))]
  const belief = beliefOf(answers, ages(0, 4))
  const likelihood = (t: number) => Math.exp(-(Math.abs(t) + Math.abs(1000 - t)) / 100)
  const above = (c: number) => {
    let [held, all] = [0, 0]
    for (let t = -4000; t <= 5000; t++) {
      all += likelihood(t)
      if (t > c) held += likelihood(t)
    }
    return held / all
  }

  test('leave the number anywhere between them, which the law of the mean’s error does not tell', () => {
    for (const c of [-50, 0, 295, 500, 705, 750, 1000]) expect(belief.above(c).probability).toBeCloseTo(above(c), 9)
    expect(belief.above(750).probability).toBeCloseTo(0.27, 2)
    expect(belief.above(295).probability - belief.above(705).probability).toBeCloseTo(0.375, 2)
    const halves = answers.map(({ law }) => ({ law, coefficient: 0.5, count: 1 }))
    expect(errorLawByCharacteristic(halves).above(500, 750)).toBeCloseTo(0.012, 3)
  })

  test('are said to disagree, and those of one law are as often as they should be', () => {
    const chance = (given: readonly ScalarAnswer[]) =>
      chanceOfDisagreement(evidenceOf(given, ages(0, 4), { universe: people, random })!)!
    expect(chance(answers)).toBeLessThan(0.001)
    const draw = sampler(laplace(100), random)
    const given = () => [0, 0, 0].map(() => answer(ages(0, 4), draw(), laplace(100)))
    const rare = Array.from({ length: 200 }, () => chance(given())).filter((p) => p <= 0.2).length
    // Binomial(200, 0.2): 40 ± 5.7; 4.89 of these are one false alarm in 10^6.
    expect(Math.abs(rare - 40)).toBeLessThan(28)
    // Simulated, and yet the same when it is looked at again.
    const near = [0, 200, 500].map((value) => answer(ages(0, 4), value, laplace(100)))
    expect(chance(near)).toBe(chance(near))
  })
})

test('where queries are independent, the law is added up: Pr(a + b > c) as by brute force to 10^-6', () => {
  const [a1, a2, b1, b2] = [laplace(4), laplace(3), gaussian(20), laplace(2)]
  const answers = [
    answer(ages(0, 1), 10, a1),
    answer(ages(0, 1), 30, a2),
    answer(ages(2, 5), 5, b1),
    answer(ages(2, 5), 9, b2),
  ]
  const likelihood = (a: number, b: number) =>
    density(a1, 10 - a) * density(a2, 30 - a) * density(b1, 5 - b) * density(b2, 9 - b)
  const belief = beliefOf(answers, ages(0, 5))
  for (const c of [10, 25, 31, 31.5, 40]) {
    expect(belief.above(c).probability).toBeCloseTo(
      bruteForce(likelihood, (a, b) => a + b > c, [-120, 160]),
      6,
    )
    expect(belief.atLeast(c).probability).toBeCloseTo(
      bruteForce(likelihood, (a, b) => a + b >= c, [-120, 160]),
      6,
    )
    expect(belief.above(c).within).toBe(0)
  }
})

test('where they depend on each other, draws come as near as they say', () => {
  const laws = [laplace(3), laplace(4), laplace(5)] as const
  const answers = [answer(ages(0, 1), 20, laws[0]), answer(ages(2, 5), 12, laws[1]), answer(ages(0, 5), 50, laws[2])]
  const likelihood = (a: number, b: number) =>
    density(laws[0], 20 - a) * density(laws[1], 12 - b) * density(laws[2], 50 - a - b)
  const belief = beliefOf(answers, ages(0, 1))
  for (const c of [15, 20, 24, 30]) {
    const { probability, within } = belief.above(c)
    expect(within).toBeLessThan(0.03)
    expect(Math.abs(probability - bruteForce(likelihood, (a) => a > c, [-100, 150]))).toBeLessThan(within)
  }
})

test('wide noise is followed on every so many steps, and nobody can tell', () => {
  const law = laplace(1e6)
  const belief = beliefOf([answer(ages(0, 4), 0, law), answer(ages(0, 4), 3e6, law)], ages(0, 4))
  // Between the answers the law is flat, outside it falls like exp(-2t/b): 3 parts of 4, and half a part on either side.
  const above = (c: number) => (3 - c / 1e6 + 0.5) / 4
  for (const c of [0, 123_456, 1.5e6, 2.5e6]) expect(belief.above(c).probability).toBeCloseTo(above(c), 6)
})

test('a question that they do not tell has none', () => {
  expect(evidenceOf([answer(ages(0, 4), 3, laplace(2))], ages(0, 5), { universe: people, random })).toBeUndefined()
})

test('where an attribute has millions of codes, only answers to the question itself are looked at', () => {
  const rich = universe([attribute({ kind: 'integer', name: 'age', closed: true, low: 0, high: 19_999_999 })])
  const answers = [answer(ages(0, 4), 3, laplace(2)), answer(ages(0, 4), 5, laplace(2))]
  const context = { universe: rich, random }
  const belief = flatBelief(evidenceOf(answers, ages(0, 4), context)!)!
  expect(belief.above(3).probability + belief.atLeast(5).probability).toBeCloseTo(1, 12)
  expect(evidenceOf([...answers, answer(ages(5), 1, laplace(2))], ages(0, 5), context)).toBeUndefined()
})

test('queries that differ in one cell of very many are not taken for one, whatever else there is', () => {
  const numbers = ['a', 'b', 'c', 'd'].map((name) =>
    attribute({ kind: 'integer', name, closed: true, low: 0, high: 999 }),
  )
  const others = Array.from({ length: 8 }, (_, i) => attribute({ kind: 'boolean', name: `other${i}`, closed: true }))
  const large = universe([...numbers, ...others])
  const [zero, five] = [0, 5].map((code) => ({ kind: 'interval', from: code, to: code }) as const) as [Factor, Factor]
  const cell = { coefficient: 1, factors: { a: five, b: five, c: five, d: five } }
  const [all, one] = [countAll, { ...countAll, terms: [cell] }]
  const rest = { ...countAll, terms: [...countAll.terms, { ...cell, coefficient: -1 }] }
  const halves = others.map(({ name }) => ({ ...countAll, terms: [{ coefficient: 1, factors: { [name]: zero } }] }))
  const told = (...queries: LinearQuery[]) =>
    evidenceOf(
      queries.map((query) => answer(query, 0, laplace(2))),
      all,
      { universe: large, random },
    )
  for (const beside of [[], halves]) expect(told(all, rest, ...beside)).toBeUndefined()
  expect(told(one, rest)?.span.question).toEqual(Float64Array.of(1, 1))
})
