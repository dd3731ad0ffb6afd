import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { type GroupedMarginal, singletons } from '../../../model/index.ts'
import { standardNormal } from '../../../numeric/index.ts'
import { shrunkPairs } from './shrunk-pairs.ts'

const [records, deviation] = [10_000, 30]
const counts = [
  [5000, 3000, 2000],
  [4000, 1000, 3000, 2000],
  [7000, 3000],
].map((list) => Float64Array.from(list))
const { uniform } = seededBits(3)

/** So much of a table in which the first values go together, and noise. */
function pairOf([i, j]: readonly [number, number], dependence: number): { truth: number[]; pair: GroupedMarginal } {
  const [down, across] = [counts[i]!, counts[j]!]
  const truth = Array.from(down, (a, row) =>
    Array.from(across, (b, column) => {
      // Rows and columns of this add up to 0.
      const sign = (row === 0 ? 1 : row === 1 ? -1 : 0) * (column === 0 ? 1 : column === 1 ? -1 : 0)
      return (a * b) / records + dependence * sign
    }),
  ).flat()
  const axes = [i, j].map((attribute) => ({ attribute, groups: singletons(counts[attribute]!.length) }))
  const values = truth.map((value) => value + deviation * standardNormal(uniform))
  return { truth, pair: { axes, values, variance: deviation ** 2 } }
}
const squared = (x: ArrayLike<number>, y: readonly number[]) =>
  y.reduce((sum, value, i) => sum + (x[i]! - value) ** 2, 0)

/** Of every row and of every column. */
function sums({ axes, values }: GroupedMarginal): number[] {
  const width = axes[1]!.groups.count
  const found = new Array<number>(axes[0]!.groups.count + width).fill(0)
  for (let cell = 0; cell < values.length; cell++) {
    found[Math.floor(cell / width)]! += values[cell]!
    found[axes[0]!.groups.count + (cell % width)]! += values[cell]!
  }
  return found
}

test('noise in pairs of independent attributes is taken out, what stands out stays, and rows and columns add up to the same', () => {
  const [before, after] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  for (let run = 0; run < 100; run++) {
    const made = [pairOf([0, 1], 0), pairOf([0, 2], 0), pairOf([1, 2], 500)]
    const pairs = made.map(({ pair }) => pair)
    const { marginals } = shrunkPairs(pairs, counts, records)
    for (const [p, { truth, pair }] of made.entries()) {
      before[p]! += squared(pair.values, truth)
      after[p]! += squared(marginals[p]!.values, truth)
      for (const [i, sum] of sums(marginals[p]!).entries()) expect(sum).toBeCloseTo(sums(pair)[i]!, 6)
    }
  }
  // Six of twelve numbers are interaction, and two of six.
  expect(after[0]!).toBeLessThan(0.75 * before[0]!)
  expect(after[1]!).toBeLessThan(0.95 * before[1]!)
  expect(after[2]!).toBeLessThan(1.05 * before[2]!)
})

test('a model is near enough before it is the truth only where something stands out', () => {
  const misfit = (truths: readonly number[][], marginals: readonly GroupedMarginal[]) =>
    truths.reduce((sum, truth, p) => sum + squared(marginals[p]!.values, truth) / deviation ** 2, 0)
  const all = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const
  // Of 3, 4 and 2 values: so much less a model has that is fitted to their counts in all tables, as the truth is not.
  const fitted = 2 + 3 + 1
  let [near, far] = [0, 0]
  for (let run = 0; run < 100; run++) {
    // As all that was kept of these is noise, independent attributes are near enough.
    const none = all.map((pair) => pairOf(pair, 0))
    const alone = shrunkPairs(
      none.map(({ pair }) => pair),
      counts,
      records,
    )
    const truths = none.map(({ truth }) => truth)
    if (misfit(truths, alone.marginals) <= 1.1 * (alone.enough + fitted)) near++
    const some = [pairOf([0, 1], 400), pairOf([0, 2], 0), pairOf([1, 2], 400)]
    const together = shrunkPairs(
      some.map(({ pair }) => pair),
      counts,
      records,
    )
    if (misfit(truths, together.marginals) <= 1.1 * (together.enough + fitted)) far++
  }
  expect(near).toBeGreaterThan(60)
  expect(far).toBe(0)
})

test('no pairs, nothing to do', () => expect(shrunkPairs([], counts, records)).toEqual({ marginals: [], enough: 0 }))
