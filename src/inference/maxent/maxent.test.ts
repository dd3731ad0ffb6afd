import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginal, type NoiseLaw, weightAt } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { uniformShares } from '../fitted/prior.ts'
import { solveExactly } from './exact/solve.ts'
import { exactCliques, TreeMeans } from './exact/tree-means.ts'
import { fitMaxent } from './fit.ts'
import { penaltyAt } from './penalty.ts'
import { maxentProblem } from './problem.ts'
import { Chains } from './sampled/chains.ts'
import { SampleClimb } from './sampled/climb.ts'
import { fitBySampling } from './sampled/fit.ts'
import { WeightedSample } from './sampled/weighted-sample.ts'

const sizes = [4, 3, 2, 3]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abcd'[i]!, low: 0, high: size - 1, closed: true })),
)
const cells = sizes.reduce<number[][]>(
  (all, size) => all.flatMap((cell) => Array.from({ length: size }, (_, c) => [...cell, c])),
  [[]],
)
const laplace = (scale: number): NoiseLaw => ({ kind: 'laplace', scale: rational(scale, 1) })
const gaussian = (variance: number): NoiseLaw => ({ kind: 'gaussian', variance: rational(variance, 1) })
const measured = (query: LinearQuery, law: NoiseLaw, values: readonly number[]): Measurement => ({
  id: '1.0',
  query,
  law,
  values: Float64Array.from(values),
})
const sum: LinearQuery = {
  by: [],
  terms: [
    { coefficient: 2, factors: { a: { kind: 'value', slope: 3, shift: -4, power: 1, from: 0, to: 3 } } },
    { coefficient: 1, factors: { a: { kind: 'interval', from: 1, to: 2 }, c: { kind: 'set', codes: [1] } } },
  ],
  step: one,
}
const filtered: LinearQuery = {
  by: [{ attribute: 'b' }, { attribute: 'd', groups: [{ kind: 'set', codes: [0, 2] }] }],
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 1 } } }],
  step: one,
}

/** Random answers of every kind about 1,000 records. */
function history(seed: number): Measurement[] {
  const { uniform } = seededBits(seed)
  const some = (count: number, most: number) => Array.from({ length: count }, () => Math.round(most * uniform()))
  return [
    measured(marginal(['a', 'b']), laplace(30), some(12, 160)),
    measured(
      marginal(['c']),
      gaussian(400),
      some(2, 40).map((count) => 480 + count),
    ),
    measured(sum, laplace(50), some(1, 4000)),
    measured(filtered, laplace(20), some(3, 300)),
    measured(marginal(['b', 'd']), gaussian(900), some(9, 220)),
  ]
}
const problemOf = (seed: number, prior = uniformShares(u), bend?: number) =>
  maxentProblem(u, 1000, prior, history(seed), bend)

/** The slow twin: every feature in every cell of the universe. */
function denseMeans(seed: number, w: Float64Array, prior: readonly Float64Array[]) {
  const { scopes } = problemOf(seed)
  const features = scopes.flatMap(({ attributes, starts, places, weights }) =>
    Array.from({ length: starts.length - 1 }, (_, i) => {
      const at = new Map<number, number>()
      for (let e = starts[i]!; e < starts[i + 1]!; e++) at.set(places[e]!, weights[e]!)
      return (cell: number[]) => at.get(attributes.reduce((place, a) => place * sizes[a]! + cell[a]!, 0)) ?? 0
    }),
  )
  const masses = cells.map(
    (cell) =>
      cell.reduce((p, code, a) => p * prior[a]![code]!, 1) *
      Math.exp(features.reduce((s, f, i) => s + w[i]! * f(cell), 0)),
  )
  const total = masses.reduce((a, b) => a + b, 0)
  return {
    logZ: Math.log(total),
    means: features.map((f) => cells.reduce((s, cell, c) => s + (masses[c]! / total) * f(cell), 0)),
  }
}

describe('features', () => {
  test('of every kind of answer are its weights, scaled to at most 1', () => {
    const answers = history(1)
    const { scopes, targets } = maxentProblem(u, 1000, uniformShares(u), answers)
    // Uniform over the cells, a feature's mean is the mean of the query's weights; its target is in the same scale.
    const w = new Float64Array(targets.length)
    const { means } = denseMeans(1, w, uniformShares(u))
    const scale = Math.max(...cells.map((cell) => Math.abs(weightAt(sum, u, cell))))
    const place = scopes.find(({ attributes }) => attributes.join() === '0,2')!.first
    const mean = cells.reduce((s, cell) => s + weightAt(sum, u, cell), 0) / cells.length
    expect(means[place]).toBeCloseTo(mean / scale, 12)
    expect(targets[place]).toBeCloseTo(Number(answers[2]!.values[0]) / (1000 * scale), 12)
  })
})

describe('the exact fit', () => {
  test('has the means and the normaliser of all cells added up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.infiniteStream(fc.double({ min: -3, max: 3, noNaN: true })),
        (seed, stream) => {
          const prior = sizes.map((size) => {
            const shares = Float64Array.from({ length: size }, () => Math.exp(Number(stream.next().value)))
            const total = shares.reduce((a, b) => a + b, 0)
            return shares.map((share) => share / total)
          })
          const problem = problemOf(seed, prior)
          const w = problem.targets.map(() => Number(stream.next().value))
          const tree = new TreeMeans(problem, exactCliques(problem)!)
          const means = new Float64Array(w.length)
          const logZ = tree.at(w, means)
          const slow = denseMeans(seed, w, prior)
          // Sums of 72 products, each rounded some ten times.
          expect(logZ).toBeCloseTo(slow.logZ, 10)
          for (const [i, mean] of means.entries()) expect(mean).toBeCloseTo(slow.means[i]!, 10)
        },
      ),
      { numRuns: 30 },
    )
  })

  test.each([
    ['Huber’s loss', 1],
    ['the likelihood of Laplace noise', 0],
  ])('by %s closes the duality gap, and no other weights in the box have a larger dual', (_, bend) => {
    for (const alpha of [0.003, 0.03, 0.3]) {
      const problem = problemOf(7, undefined, bend)
      const tree = new TreeMeans(problem, exactCliques(problem)!)
      const { w, dual, gap } = solveExactly(problem, tree, alpha, { precision: 1e-7 })
      expect(gap).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(dual)))
      expect(gap).toBeGreaterThanOrEqual(-1e-12)
      const { bounds, ridges } = penaltyAt(problem, alpha)
      const { uniform } = seededBits(3)
      const dualAt = (v: Float64Array) =>
        v.reduce((s, x, i) => s + x * problem.targets[i]! - (ridges[i]! * x * x) / 2, 0) -
        denseMeans(7, v, uniformShares(u)).logZ
      expect(dualAt(w)).toBeCloseTo(dual, 8)
      for (let trial = 0; trial < 50; trial++) {
        const other = w.map((x, i) =>
          Math.max(-bounds[i]!, Math.min(bounds[i]!, x + (uniform() - 0.5) * 10 ** -(trial % 4))),
        )
        expect(dualAt(other)).toBeLessThanOrEqual(dual + gap + 1e-12)
      }
    }
  })

  test('by the likelihood of Laplace noise meets answers whose weights are inside the box, as in the paper', () => {
    const furthest = (bend: number) => {
      const problem = problemOf(7, undefined, bend)
      const tree = new TreeMeans(problem, exactCliques(problem)!)
      const { w, means } = solveExactly(problem, tree, 0.03, { precision: 1e-9 })
      const inside = [...w.keys()].filter((i) => Math.abs(w[i]!) < 0.9 * 0.03 * problem.boxes[i]!)
      expect(inside.filter((i) => Number.isFinite(problem.boxes[i]!)).length).toBeGreaterThan(2)
      return Math.max(
        ...inside.map((i) => (Number.isFinite(problem.boxes[i]!) ? Math.abs(means[i]! - problem.targets[i]!) : 0)),
      )
    }
    expect(furthest(0)).toBeLessThan(1e-4)
    expect(furthest(1)).toBeGreaterThan(1e-3)
  })

  test('stays at the prior for α near 0, and meets consistent answers for a large one', () => {
    const truth = cells.map((_, c) => 5 + (c % 7) * 3)
    const n = truth.reduce((a, b) => a + b, 0)
    const counts = (names: string) => {
      const axes = [...names].map((name) => 'abcd'.indexOf(name))
      const table = new Float64Array(axes.reduce((size, a) => size * sizes[a]!, 1))
      for (const [c, cell] of cells.entries()) table[axes.reduce((p, a) => p * sizes[a]! + cell[a]!, 0)]! += truth[c]!
      return [...table]
    }
    const answers = ['ab', 'bc', 'cd'].map((names) => measured(marginal([...names]), laplace(10), counts(names)))
    const problem = maxentProblem(u, n, uniformShares(u), answers)
    const tree = new TreeMeans(problem, exactCliques(problem)!)
    const near = solveExactly(problem, tree, 1e-9)
    for (const x of near.w) expect(Math.abs(x)).toBeLessThan(1e-6)
    const far = solveExactly(problem, tree, 1, { precision: 1e-9 })
    for (const [i, mean] of far.means.entries()) expect(mean).toBeCloseTo(problem.targets[i]!, 4)
  })
})

describe('the sampled fit', () => {
  test('agrees with the exact one', async () => {
    const problem = problemOf(11)
    const tree = new TreeMeans(problem, exactCliques(problem)!)
    const alpha = 0.02
    const exact = solveExactly(problem, tree, alpha)
    const { uniform } = seededBits(5)
    const { w } = await fitBySampling(problem, { alpha, random: uniform, rows: 1000, chains: 40_000 })
    const means = new Float64Array(w.length)
    tree.at(w, means)
    // Means over 40,000 chains have deviations of at most 0.5/√40,000 = 0.0025; four times that is allowed.
    for (const [i, mean] of means.entries()) expect(Math.abs(mean - exact.means[i]!)).toBeLessThan(0.01)
    // And it would be noticed: at the prior some mean is off by far more.
    tree.at(new Float64Array(w.length), means)
    expect(Math.max(...means.map((mean, i) => Math.abs(mean - exact.means[i]!)))).toBeGreaterThan(0.03)
  })

  test('meets answers inside their bounds, but for what their weights account for, by the shares of its records, though chains alone would not', async () => {
    const problem = problemOf(11)
    const alpha = 0.02
    const chains = new Chains(problem, 4000, seededBits(6).uniform)
    const climb = new SampleClimb(problem, chains)
    for (let round = 0; round < 4; round++) climb.round(alpha, 3, 200)
    const { bounds, ridges } = penaltyAt(problem, alpha)
    const plain = new Float64Array(problem.targets.length)
    chains.means(plain)
    const inside = [...plain.keys()].filter((i) => Math.abs(climb.w[i]!) < 0.9 * bounds[i]!)
    expect(inside.length).toBeGreaterThan(3)
    const most = (means: Float64Array) =>
      Math.max(...inside.map((i) => Math.abs(means[i]! + ridges[i]! * climb.w[i]! - problem.targets[i]!)))
    // A sample of 4,000 is off by up to 0.008·2; the gap at which a round ends allows a fiftieth of the noise, on average.
    expect(most(climb.means)).toBeLessThan(0.003)
    expect(most(plain)).toBeGreaterThan(0.004)
    expect(climb.convergence(alpha).worth).toBeGreaterThan(0.9)
  })

  test('tells from chains at some weights what is so at others', () => {
    const problem = problemOf(11)
    const tree = new TreeMeans(problem, exactCliques(problem)!)
    const { uniform } = seededBits(7)
    const at = problem.targets.map(() => uniform() - 0.5)
    const to = at.map((x) => x + 0.6 * (uniform() - 0.5))
    const chains = new Chains(problem, 40_000, uniform)
    chains.setWeights(at)
    for (let sweep = 0; sweep < 20; sweep++) chains.sweep()
    const sample = new WeightedSample(chains, at)
    const [means, exact] = [new Float64Array(at.length), new Float64Array(at.length)]
    expect(sample.at(at, means)).toBeCloseTo(0, 12)
    expect(sample.worth).toBeCloseTo(1, 12)
    const [before, after] = [tree.at(at, exact), tree.at(to, exact)]
    // Again four times 0.0025, and some more for shares that differ.
    expect(Math.abs(sample.at(to, means) - (after - before))).toBeLessThan(0.015)
    for (const [i, mean] of means.entries()) expect(Math.abs(mean - exact[i]!)).toBeLessThan(0.012)
    expect(sample.worth).toBeLessThan(0.98)
    expect(sample.shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10)
  })

  test('evaluates features over too many cells one by one', async () => {
    const wide = universe(
      Array.from({ length: 8 }, (_, i) => attribute({ kind: 'integer', name: `x${i}`, low: 0, high: 9, closed: true })),
    )
    const query: LinearQuery = {
      by: [],
      terms: [
        {
          coefficient: 1,
          factors: Object.fromEntries(wide.attributes.map(({ name }) => [name, { kind: 'interval', from: 0, to: 8 }])),
        },
      ],
      step: one,
    }
    const problem = maxentProblem(wide, 1000, uniformShares(wide), [measured(query, laplace(1), [900])])
    expect(problem.wide.length).toBe(1)
    expect(exactCliques(problem)).toBeUndefined()
    const { uniform } = seededBits(8)
    const { rows, shares } = await fitBySampling(problem, { alpha: 1, random: uniform, rows: 4000, chains: 2000 })
    let inside = 0
    for (let r = 0; r < 4000; r++) if (rows.every((column) => column[r]! <= 8)) inside += shares[r]!
    // Under the prior 0.9⁸ = 43% are inside; the answer is met by the records' shares.
    expect(Math.abs(inside - 0.9)).toBeLessThan(0.001)
  })
})

test('a history is fitted whole, with α by cross-validation, and its model answers', async () => {
  const { uniform } = seededBits(2)
  const past = { universe: u, measurements: history(4), records: 1000 }
  const { table, parameters, records } = await fitMaxent(past, { random: uniform })
  expect(records).toEqual({ count: 1000, from: 'public' })
  expect(parameters.solver).toBe('exact')
  expect(Number(parameters.gap)).toBeLessThan(1e-5)
  const all = table.marginal([0, 1])
  expect(all.reduce((a, b) => a + b, 0)).toBeCloseTo(1000, 6)
  const [exact, sampled] = [
    await fitMaxent(past, { random: uniform, alpha: 0.02 }),
    await fitMaxent(past, { random: uniform, alpha: 0.02, solver: 'sampled' }),
  ]
  const counts = exact.table.marginal([0, 1])
  // As above: a hundredth of all records.
  for (const [i, count] of sampled.table.marginal([0, 1]).entries())
    expect(Math.abs(count - counts[i]!)).toBeLessThan(10)
})

test('a public number of records that released tables contradict is refused', async () => {
  const past = { universe: u, measurements: history(4), records: 10_000 }
  await expect(fitMaxent(past, { random: seededBits(1).uniform })).rejects.toThrow(
    'differs from the public number of records',
  )
})
