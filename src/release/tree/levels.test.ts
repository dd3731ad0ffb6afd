import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Estimated, openHistory } from '../../inference/index.ts'
import { laplaceVariance, rational, toNumber } from '../../numeric/index.ts'
import { answerSize, axisSizes, checkQuery, countAll, groupOf, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, nullCode, type Universe, universe } from '../../schema/index.ts'
import { divisions } from './intervals.ts'
import { treeLevels } from './levels.ts'

const people = universe([
  attribute({ kind: 'integer', name: 'income', low: 0, high: 200, closed: true }),
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, closed: false }),
  attribute({ kind: 'values', name: 'state', values: ['CA', 'TX', 'NY', 'WA', 'OR'], other: true, closed: false }),
  attribute({ kind: 'values', name: 'planet', values: ['Earth'], other: false, closed: true }),
  attribute({ kind: 'integer', name: 'account', low: 1, high: 1_000_000, closed: true }),
])

test('every level divides the values, each finer than the one before, as equally as can be', () => {
  const shape = fc.record({ count: fc.integer({ min: 1, max: 300 }), fanOut: fc.integer({ min: 2, max: 20 }) })
  fc.assert(
    fc.property(shape, ({ count, fanOut }) => {
      const levels = divisions(count, fanOut)
      expect([levels[0]!.length, levels.at(-1)!.length]).toEqual([1, count])
      for (const [i, spans] of levels.entries()) {
        expect(spans.map(({ from }) => from)).toEqual([0, ...spans.slice(0, -1).map(({ to }) => to + 1)])
        expect(spans.at(-1)!.to).toBe(count - 1)
        const widths = spans.map(({ from, to }) => to - from + 1)
        expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1)
        if (i > 0) {
          const starts = new Set(spans.map(({ from }) => from))
          expect(levels[i - 1]!.every(({ from }) => starts.has(from))).toBe(true)
        }
      }
      // No more levels than it takes. A power's logarithm is off by less than 1e-9; the next number's by 1e-3.
      expect(levels.length).toBe(1 + Math.ceil(Math.log(count) / Math.log(fanOut) - 1e-9))
    }),
  )
})

test('every record counts once in every level, and other and NULL by themselves', () => {
  for (const of of [['age'], ['state'], ['age', 'state']]) {
    const levels = treeLevels(people, { of, fanOut: 4 })
    for (const query of levels) {
      checkQuery(query, people)
      for (const grouping of query.by) {
        const { size } = people.attributes[people.index.get(grouping.attribute)!]!
        const groups = Array.from({ length: size }, (_, code) => groupOf(grouping, code))
        expect(groups).not.toContain(-1)
      }
    }
    expect(levels.at(-1)).toEqual(marginal(of))
  }
  const [root] = treeLevels(people, { of: ['state'], fanOut: 4 })
  expect(axisSizes(root!, people)).toEqual([3])
  const age = people.attributes[1]!
  const alone = treeLevels(people, { of: ['age'], fanOut: 4 }).map(({ by }) => {
    const codes = Array.from({ length: age.size }, (_, code) => groupOf(by[0]!, code))
    return codes.filter((group) => group === groupOf(by[0]!, nullCode(age))).length
  })
  expect(new Set(alone)).toEqual(new Set([1]))
})

test('what is no tree is refused', () => {
  const wrong: [object, string][] = [
    [{ of: ['aeg'] }, 'did you mean age'],
    [{ of: ['planet'] }, 'only one value'],
    [{ of: [] }, 'one attribute or two'],
    [{ of: ['age', 'age'] }, 'one attribute or two'],
    [{ of: ['age', 'state', 'income'] }, 'one attribute or two'],
    [{ of: ['age'], fanOut: 1 }, 'fan-out'],
    [{ of: ['age'], fanOut: 2.5 }, 'fan-out'],
    [{ of: ['age'], fanOut: Number.NaN }, 'fan-out'],
    [{ of: ['account'] }, 'more than 5000'],
    [{ of: ['income', 'age'], fanOut: 2 }, 'more than 5000'],
  ]
  for (const [shape, word] of wrong)
    expect(() => treeLevels(people, { of: ['age'], fanOut: 4, ...shape })).toThrow(word)
})

/** The history of these queries bought for ε = 0.3 in all, shared equally. What the answers are does not matter. */
function bought(queries: readonly LinearQuery[], u: Universe) {
  const scale = rational(queries.length * 10, 3)
  const history = openHistory(u, { random: Math.random })
  for (const [i, query] of queries.entries())
    history.append({
      id: String(i),
      query,
      law: { kind: 'laplace', scale },
      values: new Float64Array(answerSize(query, u)),
    })
  const variance = (from: number, to: number) => {
    const range = {
      ...countAll,
      terms: [{ coefficient: 1, factors: { income: { kind: 'interval', from, to } as const } }],
    }
    return (history.estimate(range) as Estimated).variance
  }
  return { variance, each: laplaceVariance(toNumber(scale)) }
}

test('long ranges come out more precise than from a table for the same ε, short ones less', () => {
  const only = universe([people.attributes[0]!])
  const tree = bought(treeLevels(only, { of: ['income'], fanOut: 16 }), only)
  const flat = bought([marginal(['income'])], only)
  expect(flat.variance(10, 19)).toBeCloseTo(10 * flat.each, 6)
  // Ranges of 2/3 of the domain and more, wherever they begin; and of a tenth and less.
  for (const length of [134, 150, 175, 195])
    for (let from = 0; from + length <= 201; from += 3)
      expect(tree.variance(from, from + length - 1)).toBeLessThan(0.8 * flat.variance(from, from + length - 1))
  for (const length of [1, 5, 20])
    expect(tree.variance(90, 90 + length - 1)).toBeGreaterThan(flat.variance(90, 90 + length - 1))
})

test('the total of a full tree has the variance that adding up from the leaves gives', () => {
  const only = universe([attribute({ kind: 'integer', name: 'income', low: 0, high: 63, closed: true })])
  const tree = bought(treeLevels(only, { of: ['income'], fanOut: 4 }), only)
  // A node's best estimate from below: its own answer and the sum of its children's.
  let fromBelow = tree.each
  for (let level = 0; level < 3; level++) fromBelow = 1 / (1 / tree.each + 1 / (4 * fromBelow))
  expect(tree.variance(0, 63)).toBeCloseTo(fromBelow, 9)
})
