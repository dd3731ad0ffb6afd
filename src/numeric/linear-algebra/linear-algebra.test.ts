import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cholesky } from './cholesky.ts'
import { buildKernel } from './micro-kernel.ts'
import { dot, subtractProducts } from './products.ts'
import { Triangle } from './triangle.ts'

/** Integers: sums of products are then exact, whatever the order and whether they are fused. */
const integer = fc.integer({ min: -1000, max: 1000 })
const row = (length: number) =>
  fc.array(integer, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values))
const rows = (count: number, length: number) => fc.array(row(length), { minLength: count, maxLength: count })

const slowDot = (x: ArrayLike<number>, y: ArrayLike<number>) => {
  let sum = 0
  for (let t = 0; t < Math.min(x.length, y.length); t++) sum += x[t]! * y[t]!
  return sum
}

for (const arithmetic of ['fused', 'plain'] as const) {
  test(`the micro-kernel, ${arithmetic}: four rows times four`, () => {
    const kernel = buildKernel(arithmetic)!
    for (const count of [0, 1, 2, 7, 256]) {
      const heap = new Float64Array(kernel.memory.buffer)
      for (let i = 0; i < 8 * count + 16; i++) heap[i] = ((i * 7919) % 2001) - 1000
      const [a, b] = [heap.slice(0, 4 * count), heap.slice(4 * count, 8 * count)]
      const expected = Array.from({ length: 16 }, (_, k) => {
        const [i, j] = [k % 4, Math.floor(k / 4)]
        const column = (list: Float64Array, which: number) => list.filter((_, t) => t % 4 === which)
        return heap[8 * count + k]! - slowDot(column(a, i), column(b, j))
      })
      kernel.update(0, 32 * count, 64 * count, count)
      expect([...heap.subarray(8 * count, 8 * count + 16)]).toEqual(expected)
    }
  })
}

test('dot is a sum of products', () => {
  fc.assert(
    fc.property(
      fc.array(integer),
      fc.array(integer),
      (x, y) => dot(Float64Array.from(x), Float64Array.from(y)) === slowDot(x, y),
    ),
  )
})

test('products of rows of different lengths, small and in blocks', () => {
  const shapes = fc.record({ left: fc.nat(70), right: fc.nat(70), width: fc.integer({ min: 0, max: 300 }) })
  const problem = shapes.chain(({ left, right, width }) =>
    fc.record({
      left: fc.array(fc.nat(width).chain(row), { minLength: left, maxLength: left }),
      right: fc.array(fc.nat(width).chain(row), { minLength: right, maxLength: right }),
      target: rows(left, right),
    }),
  )
  fc.assert(
    fc.property(problem, ({ left, right, target }) => {
      const expected = target.map((values, i) => values.map((value, j) => value - slowDot(left[i]!, right[j]!)))
      subtractProducts(target, left, right)
      expect(target).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

/** A triangle with a diagonal as large as its rows: solutions are as exact as the problem. */
function triangleOf(size: number, value: (i: number, j: number) => number) {
  const triangle = new Triangle()
  const dense = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: i + 1 }, (_, j) => value(i, j) / size),
  )
  dense.forEach((entries, i) => {
    entries[i] = 1 + Math.abs(entries[i]!)
    triangle.push(entries, entries[i]!)
  })
  return { triangle, dense }
}
const wave = (i: number, j: number) => Math.sin(3 * i + 7 * j)
const close = (x: Float64Array, y: Float64Array) => {
  const off = y.reduce((most, value, t) => Math.max(most, Math.abs(x[t]! - value)), 0)
  // Each of `length` sums has at most that many roundings, of numbers below 10.
  expect(off).toBeLessThan(1e-15 * 10 * (y.length + 1))
}

/** Nothing farther than this from the diagonal. */
const band = (width: number) => (i: number, j: number) => (i - j > width ? 0 : wave(i, j))

for (const [size, entry] of [
  ...[0, 1, 3, 4, 5, 63, 64, 67, 130, 300, 517].map((size) => [size, wave] as const),
  ...[1, 7, 90].map((width) => [300, band(width)] as const),
]) {
  test(`triangle of ${size} rows${entry === wave ? '' : ', in a band'}: one by one and together, both ways`, () => {
    const { triangle, dense } = triangleOf(size, entry)
    expect(triangle.size).toBe(size)
    const wanted = Array.from({ length: 135 }, (_, k) => Float64Array.from({ length: size }, (_, t) => wave(k, t)))
    // L·x and Lᵀ·x, from the definition.
    const forward = wanted.map((x) => Float64Array.from(dense, (entries) => slowDot(entries, x)))
    const backward = wanted.map((x) => {
      const y = new Float64Array(size)
      dense.forEach((entries, i) => {
        entries.forEach((entry, j) => {
          y[j]! += entry * x[i]!
        })
      })
      return y
    })
    const alone = forward[0]!.slice()
    triangle.solve(alone)
    close(alone, wanted[0]!)
    const aloneBack = backward[0]!.slice()
    triangle.solveTransposed(aloneBack)
    close(aloneBack, wanted[0]!)
    triangle.solveRows(forward)
    triangle.solveRowsTransposed(backward)
    wanted.forEach((x, k) => {
      close(forward[k]!, x)
      close(backward[k]!, x)
    })
  })
}

/** How far the solutions for a matrix' own rows are from unit vectors: so far its factor is off. */
const off = (triangle: Triangle, matrix: readonly Float64Array[]) =>
  matrix.reduce((most, row, k) => {
    const x = row.slice()
    triangle.solve(x)
    triangle.solveTransposed(x)
    return x.reduce((m, value, t) => Math.max(m, Math.abs(value - (t === k ? 1 : 0))), most)
  }, 0)
/** Diagonal 2, and 1/size elsewhere at most: eigenvalues between 1 and 3. */
const definite = (size: number) =>
  Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_, j) => (i === j ? 2 : wave(Math.min(i, j), Math.max(i, j)) / size)),
  )

for (const size of [0, 1, 5, 128, 131, 300])
  test(`the factor of a matrix of ${size} rows, and with one more product`, () => {
    const matrix = definite(size)
    const factor = cholesky(matrix)
    expect(off(factor, matrix)).toBeLessThan(1e-15 * 10 * (size + 1))
    const x = Float64Array.from({ length: size }, (_, t) => wave(t, 1))
    const more = matrix.map((row, i) => row.map((value, j) => value + x[i]! * x[j]!))
    // Eigenvalues up to 3 + size: as many units of the last digit, and the sums' length.
    expect(off(factor.updated(x), more)).toBeLessThan(1e-15 * 10 * (size + 4) ** 2)
  })

for (const size of [0, 1, 3, 4, 6])
  test(`a triangle of ${size} rows and its fork go on by themselves`, () => {
    const { triangle } = triangleOf(size, wave)
    const fork = triangle.fork()
    const rows = [1, 2].map((k) => Float64Array.from({ length: size }, (_, t) => wave(k, t)))
    triangle.push(rows[0]!, 2)
    fork.push(rows[1]!, 3)
    for (const [k, longer] of [triangle, fork].entries()) {
      const x = Float64Array.from({ length: size + 1 }, (_, t) => wave(5, t))
      const last = x[size]!
      longer.solve(x)
      expect(x[size]).toBeCloseTo((last - slowDot(rows[k]!, x)) / (k + 2), 12)
    }
  })

test('what lies behind the first entries of a row is left alone', () => {
  const { triangle } = triangleOf(6, wave)
  const list = Array.from({ length: 5 }, () => Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  triangle.solveRows(list)
  triangle.solveRowsTransposed(list)
  triangle.solve(list[0]!)
  triangle.solveTransposed(list[0]!)
  for (const values of list) expect([...values.slice(6)]).toEqual([7, 8])
})
