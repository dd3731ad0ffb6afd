import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import type { Cells } from './cells.ts'
import { newCells } from './parallel-visits.ts'
import { Projection } from './projection.ts'

const sizes = [7, 64, 5, 83, 6]
const size = sizes.reduce((a, b) => a * b)

function filled(cells: Cells): Cells {
  const { uniform } = seededBits(4)
  for (let i = 0; i < cells.length; i++) cells[i] = uniform()
  return cells
}

test.each([false, true])('all threads together find what one finds (in single precision: %s)', (isSingle) => {
  const shared = filled(newCells(size, isSingle))
  expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer)
  const alone = shared.slice()
  expect(alone.buffer).toBeInstanceOf(ArrayBuffer)
  for (const axes of [[], [0], [3, 1], [4, 2, 0]]) {
    const projection = new Projection(sizes, axes)
    const [found, expected] = [projection.sum(shared, 3), projection.sum(alone, 3)]
    // Sums of 10^6 numbers in another order: 10 digits are left.
    for (let i = 0; i < expected.length; i++) expect(found[i]! / expected[i]!).toBeCloseTo(1, 10)
    const factors = expected.map((_, i) => 1 + (i % 7) / 10)
    expect(projection.multiply(shared, factors) / projection.multiply(alone, factors)).toBeCloseTo(1, 10)
    expect(Buffer.from(shared.buffer).equals(Buffer.from(alone.buffer))).toBe(true)
  }
})
