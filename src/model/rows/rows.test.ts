import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { balance } from './balanced.ts'
import { roundedCounts, systematicCounts } from './carried-rounding.ts'
import { quickRandom, shuffle } from './quick-random.ts'
import { type PairSquare, swapTowards } from './swaps.ts'

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)

test('whole numbers add up, and what is carried on stays small', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 9 }).filter((s) => sum(s) > 0)
  const totals = fc.array(fc.nat(30), { maxLength: 40 })
  fc.assert(
    fc.property(shares, totals, (weights, steps) => {
      const carried = new Float64Array(weights.length)
      const reached = weights.map(() => 0)
      for (const total of steps) {
        for (const [v, weight] of weights.entries()) carried[v]! += (weight / sum(weights)) * total
        const counts = roundedCounts(carried, total)
        expect(sum(counts)).toBe(total)
        for (const [v, count] of counts.entries()) {
          expect(count).toBeGreaterThanOrEqual(0)
          reached[v]! += count
        }
        // With the same shares at every step nothing is ever off by more than one.
        for (const left of carried) expect(Math.abs(left)).toBeLessThan(1 + 1e-9)
      }
      for (const [v, weight] of weights.entries())
        expect(Math.abs(reached[v]! - (weight / sum(weights)) * sum(steps))).toBeLessThan(1 + 1e-9)
    }),
  )
})

test('systematic counts: every share up to one, and all together exactly', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }).filter((s) => sum(s) > 0.1),
      fc.nat(5000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (shares, total, start) => {
        const counts = systematicCounts(Float64Array.from(shares), total, start)
        expect(sum(counts)).toBe(total)
        for (const [i, count] of counts.entries())
          expect(Math.abs(count - (shares[i]! / sum(shares)) * total)).toBeLessThan(1 + 1e-9)
      },
    ),
  )
})

test('a shuffle keeps what it shuffles and leaves the rest alone', () => {
  const values = Int32Array.from({ length: 100 }, (_, i) => i)
  shuffle(values, 10, 90, quickRandom(seededBits(3).uniform))
  expect([...values.slice(0, 10), ...values.slice(90)]).toEqual([
    ...Array.from({ length: 10 }, (_, i) => i),
    ...Array.from({ length: 10 }, (_, i) => 90 + i),
  ])
  expect([...values.slice(10, 90)].sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 10))
  // One order of 80! is as it was.
  expect([...values]).not.toEqual(Array.from({ length: 100 }, (_, i) => i))
})

/** Σ weight·(count - expected)² from its definition. */
function slowObjective(rows: Int32Array, { offsets, width, weights }: PairSquare, expected: Float32Array): number {
  const counts = new Float64Array(width * width)
  for (let row = 0; row < rows.length; row += offsets.length)
    for (let i = 0; i < offsets.length; i++)
      for (let j = i + 1; j < offsets.length; j++) counts[rows[row + i]! * width + rows[row + j]!]!++
  return counts.reduce((total, count, cell) => total + weights[cell]! * (count - expected[cell]!) ** 2, 0)
}

test('swaps never raise the objective, and keep the one-way marginals and their own books', () => {
  const { uniform } = seededBits(4)
  const offsets = [0, 3, 5]
  const width = 9
  const rows = Int32Array.from(
    { length: 3 * 60 },
    (_, i) => offsets[i % 3]! + Math.floor(uniform() * [3, 2, 4][i % 3]!),
  )
  const inBlocks = (cell: number) => {
    const block = (code: number) => offsets.findLastIndex((offset) => offset <= code)
    return block(Math.floor(cell / width)) < block(cell % width)
  }
  const expected = Float32Array.from({ length: width ** 2 }, (_, cell) => (inBlocks(cell) ? 12 * uniform() : 0))
  const turned = (cell: number) => (cell % width) * width + Math.floor(cell / width)
  const bothWays = (table: Float32Array) => table.map((value, cell) => value + table[turned(cell)]!)
  const weights = expected.map((value, cell) => (inBlocks(cell) ? 1 / Math.sqrt(value + 1) : 0))
  const surplus = bothWays(expected.map((value) => -value))
  for (let row = 0; row < rows.length; row += 3)
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      for (const cell of [rows[row + i]! * width + rows[row + j]!, rows[row + j]! * width + rows[row + i]!])
        surplus[cell]!++
  const square = { offsets, width, surplus, weights: bothWays(weights) }
  const columnSorted = () => [0, 1, 2].map((i) => [...rows.filter((_, at) => at % 3 === i)].sort())
  const columns = columnSorted()
  const words = quickRandom(uniform)
  let before = slowObjective(rows, square, expected)
  let swaps = 0
  for (let round = 0; round < 300; round++) {
    swaps += swapTowards(rows, square, 1, words)
    const after = slowObjective(rows, square, expected)
    expect(after).toBeLessThan(before + 1e-3)
    before = after
  }
  expect(swaps).toBeGreaterThan(10)
  expect(columnSorted()).toEqual(columns)
  // The squares that the swaps keep are those of the rows.
  const kept = surplus.reduce((total, value, cell) => total + weights[cell]! * value ** 2, 0)
  expect(Math.abs(kept - before)).toBeLessThan(1e-3 * before)
})

test('balanced rows are nearer to a model than they were', () => {
  const bit = (name: string) => attribute({ kind: 'boolean', name, closed: true })
  const bits = universe(['a', 'b', 'c'].map(bit))
  // All three agree nine times in ten.
  const table = Float64Array.of(45, 5, 5, 45)
  const model = { universe: bits, records: 100, marginal: () => table }
  const { uniform } = seededBits(5)
  const rows = [0, 1, 2].map(() => Int32Array.from({ length: 1000 }, (_, i) => Number(i < 500)))
  for (const column of rows) shuffle(column, 0, 1000, quickRandom(uniform))
  balance(rows, model, uniform)
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    const agreeing = rows[i]!.filter((code, row) => rows[j]![row] === code).length
    // About 500 before, 900 wanted: three proposals per value go most of the way.
    expect(Math.abs(agreeing - 900)).toBeLessThan(100)
  }
  const empty = [new Int32Array(0), new Int32Array(0), new Int32Array(0)]
  balance(empty, model, uniform)
  expect(empty[0]).toHaveLength(0)
})
