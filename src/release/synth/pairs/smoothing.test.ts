import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { smoothed } from './smoothing.ts'

const { uniform } = seededBits(1)
/** About normal, of variance 1. */
const noise = () => Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6
const noisy = (counts: readonly number[], deviation: number) =>
  Float64Array.from(counts, (count) => count + deviation * noise())
const squared = (x: ArrayLike<number>, y: readonly number[]) =>
  y.reduce((sum, value, i) => sum + (x[i]! - value) ** 2, 0)

test('a plain is averaged, and what stands out stays', () => {
  const plain = new Array<number>(100).fill(50)
  const spike = plain.with(40, 5000)
  for (const truth of [plain, spike]) {
    const measured = noisy(truth, 20)
    // A hundred noises of variance 400: what is left of 40,000 is far below a quarter.
    expect(squared(smoothed(measured, 400), truth)).toBeLessThan(10_000)
    expect(squared(measured, truth)).toBeGreaterThan(20_000)
  }
  const [before, after] = [noisy(spike, 20), smoothed(noisy(spike, 20), 400)]
  expect(Math.abs(after[40]! - before[40]!)).toBeLessThan(200)
})

test('where noise is small nothing changes, and the sum hardly ever', () => {
  const truth = Array.from({ length: 37 }, (_, i) => 1000 * Math.abs(Math.sin(i)))
  const measured = noisy(truth, 1)
  const smooth = smoothed(measured, 1)
  expect(squared(smooth, [...measured])).toBeLessThan(37 * 9)
  const flat = smoothed(noisy(truth, 300), 300 ** 2)
  const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b)
  // The sum of 37 noises has deviation 1825.
  expect(Math.abs(sum(flat) - sum(truth))).toBeLessThan(5 * 1825)
})

test.each([0, 1, 2, 3, 4, 5, 7, 64])('%i counts without noise stay as they are', (size) => {
  const counts = Float64Array.from({ length: size }, (_, i) => (i * 7) % 5)
  const smooth = smoothed(counts, 0)
  for (const [i, count] of counts.entries()) expect(smooth[i]).toBeCloseTo(count, 9)
})
