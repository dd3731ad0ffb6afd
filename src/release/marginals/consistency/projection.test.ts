import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
        const x = projectOntoSums(Float64Array.from(y), [2, 3], sums, 20_000)
        // It is the nearest of a convex set iff (y - x)·(z - x) ≤ 0 for every corner z. The rounds end 1e-3 before the limit.
        for (const corner of corners(rows, columns)) {
          const towards = sum(corner.map((z, i) => (y[i]! - x[i]!) * (z - x[i]!)))
          expect(towards).toBeLessThan(1e-3 * (1 + sum(y.map(Math.abs))))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('has the last sums exactly, no negative count, and any number of axes', () => {
    const cases = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }).chain((sizes) => {
      const cells = sizes.reduce((product, n) => product * n, 1)
      const list = (of: fc.Arbitrary<number>) => fc.array(of, { minLength: cells, maxLength: cells })
      return fc.record({ sizes: fc.constant(sizes), y: list(number), truth: list(fc.nat(50)) })
    })
    fc.assert(
      fc.property(cases, ({ sizes, y, truth }) => {
        const sums = sizes.map((n, axis) => {
          const inner = sizes.slice(axis + 1).reduce((product, m) => product * m, 1)
          return Float64Array.from({ length: n }, (_, code) =>
            sum(truth.filter((_, cell) => Math.floor(cell / inner) % n === code)),
          )
        })
        const x = projectOntoSums(Float64Array.from(y), sizes, sums, 20)
        expect(x.every((v) => v >= 0)).toBe(true)
        const last = sizes.at(-1)!
        for (const [code, wanted] of sums.at(-1)!.entries())
          expect(sum(x.filter((_, cell) => cell % last === code))).toBeCloseTo(wanted, 6)
        expect(sum(wholeNumbers(x, sum(truth)))).toBe(sum(truth))
      }),
    )
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
