import fc from 'fast-check'
import { expect, test } from 'vitest'
import { one, rational } from '../../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { maxentProblem } from '../problem.ts'
import { coarseProblem } from './coarse-problem.ts'
import { exactCliques, TreeMeans } from './tree-means.ts'

const sizes = [30, 12, 3, 4]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abcd'[i]!, low: 0, high: size - 1, closed: true })),
)
const range = (size: number) =>
  fc
    .tuple(fc.nat(size - 1), fc.nat(size - 1))
    .map(([x, y]) => ({ kind: 'interval' as const, from: Math.min(x, y), to: Math.max(x, y) }))
const half = { kind: 'value', slope: 2, shift: -3, power: 1, from: 0, to: 5 } as const
const queries = fc.oneof(
  fc
    .tuple(range(30), range(12))
    .map(([a, b]): LinearQuery => ({ by: [], terms: [{ coefficient: 1, factors: { a, b } }], step: one })),
  range(30).map(
    (a): LinearQuery => ({ by: [{ attribute: 'c' }], terms: [{ coefficient: 1, factors: { a } }], step: one }),
  ),
  range(12).map(
    (b): LinearQuery => ({
      by: [],
      terms: [
        { coefficient: 3, factors: { a: half } },
        { coefficient: -1, factors: { b } },
      ],
      step: one,
    }),
  ),
  fc.constant(marginal(['c'])),
)
const answered = (query: LinearQuery): Measurement => ({
  id: '1.0',
  query,
  law: { kind: 'laplace', scale: rational(5) },
  values: new Float64Array(query.by.length > 0 ? 3 : 1).fill(40),
})
const shares = (size: number, seed: number) => {
  const parts = Float64Array.from({ length: size }, (_, code) => 1 + ((7 * code + seed) % 5))
  const total = parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part) => part / total)
}
const prior = sizes.map(shares)

test('the same weights have the same means over classes of codes as over codes', () => {
  let merged = 0
  fc.assert(
    fc.property(
      fc.array(queries, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
      (asked, random) => {
        const fine = maxentProblem(u, 100, prior, asked.map(answered))
        const coarse = coarseProblem(fine)
        const w = Float64Array.from(fine.targets, () => random.next().value!)
        const [expected, means] = [new Float64Array(w.length), new Float64Array(w.length)]
        const cliques = exactCliques(fine)!
        const total = new TreeMeans(fine, cliques).at(w, expected)
        // Sums of at most 4,320 shares in another order.
        expect(new TreeMeans(coarse, cliques).at(w, means)).toBeCloseTo(total, 10)
        for (const [i, mean] of means.entries()) expect(mean).toBeCloseTo(expected[i]!, 10)
        for (const [a, { size }] of coarse.universe.attributes.entries()) if (size < sizes[a]!) merged++
        // No feature looks at it.
        expect(coarse.universe.attributes[3]!.size).toBe(1)
      },
    ),
    { numRuns: 200 },
  )
  expect(merged).toBeGreaterThan(300)
})

test('codes that a feature tells apart stay apart', () => {
  const sums: LinearQuery = { by: [], terms: [{ coefficient: 1, factors: { a: half } }], step: one }
  const sizesFor = (...asked: LinearQuery[]) =>
    coarseProblem(maxentProblem(u, 100, prior, asked.map(answered))).universe.attributes.map(({ size }) => size)
  // Six values of a line, and 0 from there on.
  expect(sizesFor(sums)).toEqual([7, 1, 1, 1])
  expect(sizesFor({ ...marginal(['c']) }, sums)).toEqual([7, 1, 3, 1])
})
