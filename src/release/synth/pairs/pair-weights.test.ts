import { expect, test } from 'vitest'
import { countAll, type LinearQuery, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { parseWorkload } from '../workload/read.ts'
import { pairWeights } from './pair-weights.ts'

const u = universe(['a', 'b', 'c', 'd'].map((name) => attribute({ kind: 'boolean', name, closed: true })))
const all = [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].slice(i + 1).map((j) => [i, j] as const))
const counted: LinearQuery = {
  ...marginal(['d']),
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 0 } } }],
}

test('a pair counts as often as queries look at both of its attributes', () => {
  const weightOf = pairWeights([countAll, marginal(['c', 'a']), marginal(['a', 'b', 'c']), marginal(['b']), counted], u)
  // ab, ac, ad, bc, bd, cd
  expect(all.map(weightOf)).toEqual([1, 2, 1, 1, 0, 0])
})

test('without a workload, and for all tables over k attributes, all are worth the same', () => {
  for (const queries of [undefined, ...['2-way', '3-way'].map((text) => parseWorkload(text, u, Math.random))])
    expect(new Set(all.map(pairWeights(queries, u))).size).toBe(1)
  expect(all.map(pairWeights(parseWorkload('1-way', u, Math.random), u))).toEqual([0, 0, 0, 0, 0, 0])
})
