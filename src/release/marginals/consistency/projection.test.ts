import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { axesOf, sumsAlong } from './axes.ts'
import { projectOntoSimplex } from './simplex.ts'
import { projectOntoSums } from './slices.ts'
import { wholeNumbers } from './whole-numbers.ts'

const sum = (values: Iterable<number>) => [...values].reduce((total, v) => total + v, 0)
const number = fc.double({ min: -1000, max: 1000, noNaN: true })

/** The slow twin: the threshold by halving. */
function byBisection(y: Float64Array, total: number): Float64Array {
  const at = (threshold: number) => y.map((v) => Math.max(0, v - threshold))
  let [low, high] = [Math.min(...y) - total, Math.max(...y)]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (sum(at(middle)) > total) low = middle
    else high = middle
  }
  return at((low + high) / 2)
}

describe('the nearest numbers of a total', () => {
  test('are those that halving finds', () => {
    const cases = fc.record({
      y: fc.array(number, { minLength: 1, maxLength: 40 }),
      total: fc.double({ min: 1e-6, max: 5000, noNaN: true }),
    })
    fc.assert(
      fc.property(cases, ({ y, total }) => {
        const x = Float64Array.from(y)
        projectOntoSimplex(x, total)
        const slow = byBisection(Float64Array.from(y), total)
        // Sums of 40 numbers of at most 5000 carry rounding errors of about 1e-11.
        for (const [i, v] of x.entries()) expect(Math.abs(v - slow[i]!)).toBeLessThan(1e-9)
        expect(Math.abs(sum(x) - total)).toBeLessThan(1e-9)
      }),
    )
  })

  test('end the search also where numbers lie at the threshold, or dwarf the total', () => {
    for (const [y, total, expected] of [
      [[0.1, 0.1, 0.1, 0.2, 0.3], 0.3, [0, 0, 0, 0.1, 0.2]],
      [[5, 5, 5], 1e-320, [0, 0, 0]],
      [[1e15, 1e15, -1e15], 3, [1.5, 1.5, 0]],
      [[-3, -4], 0, [0, 0]],
      [[-3], 7, [7]],
    ] as const) {
      const x = Float64Array.from(y)
      projectOntoSimplex(x, total)
      for (const [i, v] of x.entries()) expect(v).toBeCloseTo(expected[i]!, 9)
    }
  })
})

/** Every corner of the tables with these sums: cells filled as far as they go, in every order. */
function corners(rows: readonly number[], columns: readonly number[]): number[][] {
  const cells = rows.length * columns.length
  return permutations([...Array(cells).keys()]).map((order) => {
    const [r, c] = [[...rows], [...columns]]
    const table = Array<number>(cells).fill(0)
    for (const cell of order) {
      const [i, j] = [Math.floor(cell / columns.length), cell % columns.length]
      const most = Math.min(r[i]!, c[j]!)
      table[cell] = most
      r[i]! -= most
      c[j]! -= most
    }
    return table
  })
}

const permutations = (list: readonly number[]): number[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((first) => permutations(list.filter((v) => v !== first)).map((p) => [first, ...p]))

/** The slow twin: every slice onto its sum in turn, after what its last turn took away is given back (Boyle and Dykstra 1986). */
function byDykstra(y: Float64Array, sums: readonly Float64Array[], rounds: number): Float64Array {
  const x = y.slice()
  const axes = axesOf(sums.map(({ length }) => length))
  const taken = axes.map(() => new Float64Array(x.length))
  for (let round = 0; round < rounds; round++)
    for (const [a, { size, inner }] of axes.entries())
      for (const [code, wanted] of sums[a]!.entries()) {
        const cells = [...x.keys()].filter((cell) => Math.floor(cell / inner) % size === code)
        const before = cells.map((cell) => x[cell]! + taken[a]![cell]!)
        const after = Float64Array.from(before)
        projectOntoSimplex(after, wanted)
        for (const [i, cell] of cells.entries()) {
          taken[a]![cell] = before[i]! - after[i]!
          x[cell] = after[i]!
        }
      }
  return x
}

/** By how much any sum is wrong. */
const wrong = (x: Float64Array, sums: readonly Float64Array[]): number =>
  Math.max(
    ...axesOf(sums.map(({ length }) => length)).flatMap((axis, a) =>
      Array.from(sumsAlong(x, axis), (v, code) => Math.abs(v - sums[a]![code]!)),
    ),
  )

const distance = (x: Float64Array, y: Float64Array): number => Math.sqrt(sum(x.map((v, i) => (v - y[i]!) ** 2)))

/** A noisy table, and the sums of a true one, with up to four axes. */
const problem = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }).chain((sizes) => {
  const cells = sizes.reduce((product, n) => product * n, 1)
  const list = (of: fc.Arbitrary<number>) =>
    fc.array(of, { minLength: cells, maxLength: cells }).map((numbers) => Float64Array.from(numbers))
  return fc
    .record({ y: list(number), truth: list(fc.nat(50)) })
    .map(({ y, truth }) => ({ y, truth, sums: axesOf(sizes).map((axis) => sumsAlong(truth, axis)) }))
})

describe('the nearest table of given sums', () => {
  test('cannot be moved towards any corner without going farther away', () => {
    const cases = fc.record({
      y: fc.array(fc.integer({ min: -20, max: 30 }), { minLength: 6, maxLength: 6 }),
      truth: fc.array(fc.nat(12), { minLength: 6, maxLength: 6 }),
    })
    fc.assert(
      fc.property(cases, ({ y, truth }) => {
        const rows = [0, 3].map((i) => sum(truth.slice(i, i + 3)))
        const columns = [0, 1, 2].map((j) => truth[j]! + truth[j + 3]!)
        const sums = [Float64Array.from(rows), Float64Array.from(columns)]
        const x = projectOntoSums(Float64Array.from(y), sums, { gap: 1e-6, rounds: 1000 })
        // It is the nearest of a convex set iff (y - x)·(z - x) ≤ 0 for every corner z. Sums are right to 1e-6 before they
        // are put right, and corners are at most 36 away.
        for (const corner of corners(rows, columns)) {
          const towards = sum(corner.map((z, i) => (y[i]! - x[i]!) * (z - x[i]!)))
          expect(towards).toBeLessThan(1e-4 * (1 + sum(y.map(Math.abs))))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is where alternating projections go, with any number of axes', () => {
    fc.assert(
      fc.property(problem, ({ y, sums, truth }) => {
        const x = projectOntoSums(y, sums, { gap: 1e-6, rounds: 1000 })
        const slow = byDykstra(y, sums, 500)
        // What the slow one's sums miss, it may be nearer by, times the axes' number of slices. Never is any table with the sums.
        expect(distance(x, y)).toBeLessThan(distance(slow, y) + 16 * wrong(slow, sums) + 1e-4)
        expect(distance(x, y)).toBeLessThan(distance(truth, y) + 1e-4)
      }),
      { numRuns: 40 },
    )
  })

  test('has all sums and no negative count, however few the rounds', () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: 1, max: 4 }), ({ y, sums }, rounds) => {
        const x = projectOntoSums(y, sums, { gap: 0.5, rounds })
        expect(x.every((v) => v >= 0)).toBe(true)
        // Sums of at most 256 numbers of at most 12,800 carry rounding errors of about 1e-10.
        expect(wrong(x, sums)).toBeLessThan(1e-8)
      }),
    )
  })

  test('is found in a few rounds where alternating projections are far from it after 20', () => {
    // A few large slices and many small ones under noise: most cells end at 0, and all axes together decide which.
    const { uniform } = seededBits(2)
    const truth = Float64Array.from({ length: 900 }, (_, i) =>
      Math.floor(20_000 / ((1 + Math.floor(i / 30)) * (1 + (i % 30))) ** 2),
    )
    const sums = axesOf([30, 30]).map((axis) => sumsAlong(truth, axis))
    const y = truth.map((v) => v + 1000 * (uniform() - uniform()))
    // Seen: 38.
    expect(wrong(byDykstra(y, sums, 20), sums)).toBeGreaterThan(10)
    const [few, many] = [8, 200].map((rounds) => projectOntoSums(y, sums, { gap: 0, rounds }))
    // Seen: 5e-5.
    expect(distance(few!, many!)).toBeLessThan(0.01)
  })
})

test('whole numbers add up to the total, and none is off by 1 or more', () => {
  const tables = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(tables, fc.nat(100_000), (table, total) => {
      const x = Float64Array.from(table)
      projectOntoSimplex(x, total)
      const whole = wholeNumbers(x, total)
      expect(sum(whole)).toBe(total)
      for (const [i, v] of whole.entries()) {
        expect(Number.isInteger(v)).toBe(true)
        expect(Math.abs(v - x[i]!)).toBeLessThan(1)
      }
    }),
  )
  expect([...wholeNumbers(Float64Array.of(0.5, 0.7, 1.8), 3)]).toEqual([0, 1, 2])
})
