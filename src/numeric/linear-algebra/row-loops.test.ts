import { expect, test } from 'vitest'
import { buildPanelKernel } from './panel-kernel.ts'

const [length, rows] = [16, 5]
const size = length * rows

/** Arrays in the memory of a kernel, filled with numbers from -3 to 3 that floats hold exactly. */
function opened(arithmetic: 'fused' | 'plain') {
  const kernel = buildPanelKernel(length, arithmetic)!
  const table = (place: number) => new Float32Array(kernel.memory.buffer, 4 * size * place, size)
  const row = (place: number) => new Float32Array(kernel.memory.buffer, 4 * (8 * size + length * place), length)
  const all = new Float32Array(kernel.memory.buffer)
  for (let i = 0; i < all.length; i++) all[i] = ((i * 7919) % 25) / 4 - 3
  return { kernel, table, row }
}

for (const arithmetic of ['fused', 'plain'] as const)
  test(`loops over rows, ${arithmetic}, do what plain loops do`, () => {
    const { kernel, table, row } = opened(arithmetic)
    const [a, b, r, s] = [table(0), table(1), row(0), row(1)]
    const column = (i: number) => i % length
    const expected = (work: () => void, target: Float32Array, value: (before: Float32Array, i: number) => number) => {
      const before = target.slice()
      const wanted = Array.from(before, (_, i) => Math.fround(value(before, i)))
      work()
      expect([...target]).toEqual(wanted)
    }
    const columnSum = (k: number, value: (i: number) => number) =>
      Array.from({ length: rows }, (_, j) => value(j * length + k)).reduce((x, y) => x + y)

    expected(
      () => kernel.add(a.byteOffset, b.byteOffset, rows),
      a,
      (before, i) => before[i]! + b[i]!,
    )
    expected(
      () => kernel.addAll(b.byteOffset, r.byteOffset, rows),
      r,
      (before, k) => before[k]! + columnSum(k, (i) => b[i]!),
    )
    expected(
      () => kernel.addToAll(a.byteOffset, r.byteOffset, rows),
      a,
      (before, i) => before[i]! + r[column(i)]!,
    )
    expected(
      () => kernel.multiply(a.byteOffset, b.byteOffset, r.byteOffset, rows),
      a,
      (_, i) => b[i]! * r[column(i)]!,
    )
    expected(
      () => kernel.addProducts(a.byteOffset, b.byteOffset, r.byteOffset, rows),
      r,
      (before, k) => before[k]! + columnSum(k, (i) => a[i]! * b[i]!),
    )
    expected(
      () => kernel.raise(b.byteOffset, s.byteOffset, rows),
      s,
      (before, k) => Math.max(before[k]!, ...Array.from({ length: rows }, (_, j) => b[j * length + k]!)),
    )
    r.fill(2)
    expected(
      () => kernel.pullBack(b.byteOffset, table(2).byteOffset, r.byteOffset, s.byteOffset, rows),
      b,
      (before, i) => (before[i]! - 2) * table(2)[i]! * s[column(i)]!,
    )
    kernel.add(a.byteOffset, b.byteOffset, 0)
  })

test('exponentials, down to the lowest, and their sums', () => {
  const { kernel, table, row } = opened('fused')
  const [x, y, top, sums] = [table(0), table(1), row(0), row(1)]
  for (let i = 0; i < size; i++) x[i] = (-25 * i) / size
  top.fill(0)
  sums.fill(1)
  kernel.exponentials(y.byteOffset, x.byteOffset, top.byteOffset, sums.byteOffset, rows)
  // The argument, up to 26 in units of ln 2, is rounded to a float: 26·2^-24, and the polynomial a few times.
  for (let i = 0; i < size; i++) expect(Math.abs(y[i]! / Math.exp(Math.max(x[i]!, -18)) - 1)).toBeLessThan(3e-6)
  for (let k = 0; k < length; k++) {
    let sum = 1
    for (let j = 0; j < rows; j++) sum += y[j * length + k]!
    expect(Math.abs(sums[k]! / sum - 1)).toBeLessThan(1e-6)
  }
})

test('a step of Adam', () => {
  const { kernel, table, row } = opened('plain')
  const [parameters, slopes, means, squares] = [table(0), table(1), table(2), table(3)]
  for (let i = 0; i < size; i++) squares[i] = Math.abs(squares[i]!)
  row(0).fill(0.5)
  row(1).fill(2)
  const before = [parameters, slopes, means, squares].map((array) => Float64Array.from(array))
  const addresses = [parameters, slopes, means, squares, row(0), row(1)].map(({ byteOffset }) => byteOffset)
  kernel.adam(...(addresses as [number, number, number, number, number, number]), rows)
  for (let i = 0; i < size; i++) {
    const [parameter, slope, mean, square] = before.map((array) => array[i]!) as [number, number, number, number]
    const nextMean = 0.9 * mean + 0.1 * slope
    const nextSquare = 0.999 * square + 0.001 * slope ** 2
    const next = parameter - (0.5 * nextMean) / (Math.sqrt(2 * nextSquare) + 1e-12)
    // Some ten roundings of floats whose sizes are below 4 (a step may be larger: where the square is nearly 0).
    expect(Math.abs(means[i]! - nextMean)).toBeLessThan(1e-6)
    expect(Math.abs(squares[i]! - nextSquare)).toBeLessThan(1e-6)
    expect(Math.abs(parameters[i]! - next)).toBeLessThan(1e-5 * (1 + Math.abs(next)))
  }
})
