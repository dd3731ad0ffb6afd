import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { standardNormal } from '../../../numeric/index.ts'
import { shrunkCounts } from './shrunk-counts.ts'

const { uniform } = seededBits(1)
const records = 1000
const noisy = (counts: readonly number[], deviation: number) =>
  Float64Array.from(counts, (count) => count + deviation * standardNormal(uniform))
const squared = (x: ArrayLike<number>, y: readonly number[]) =>
  y.reduce((sum, value, i) => sum + (x[i]! - value) ** 2, 0)

/** Mean squared errors over 400 noises, of what was measured and of what is made of it. */
function errors(truth: readonly number[], deviation: number): [measured: number, shrunk: number] {
  const sums: [number, number] = [0, 0]
  for (let i = 0; i < 400; i++) {
    const measured = noisy(truth, deviation)
    sums[0] += squared(measured, truth) / 400
    sums[1] += squared(shrunkCounts(measured, deviation ** 2, records), truth) / 400
  }
  return sums
}

const uneven = [420, 10, 30, 300, 0, 140, 60, 40]
test.each([
  ['uneven counts', uneven],
  ['equal counts', uneven.map(() => 125)],
  ['two values', [900, 100]],
])('%s: noise far above them is taken out, and small noise is left alone', (_, truth) => {
  const [drowned, afterwards] = errors(truth, 3000)
  expect(afterwards).toBeLessThan(0.2 * drowned)
  const [clear, same] = errors(truth, 5)
  expect(same).toBeLessThan(1.1 * clear)
})

test('what is left adds up to the number of records', () => {
  const shrunk = shrunkCounts(noisy(uneven, 200), 200 ** 2, records)
  expect(shrunk.reduce((a, b) => a + b)).toBeCloseTo(records, 6)
})

test.each([[[]], [[7]]])('nothing to compare: %j', (counts) =>
  expect([...shrunkCounts(Float64Array.from(counts), 4, 7)]).toEqual(counts),
)

test('without noise nothing changes', () =>
  expect([...shrunkCounts(Float64Array.from(uneven), 0, records)]).toEqual(uneven))
