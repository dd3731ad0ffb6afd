import { expect, test } from 'vitest'
import { one, rational, toNumber } from '../../numeric/index.ts'
import { usualStep } from './grid.ts'

const n = 30_162
/** In millionths of n. */
const stepFor = (marginals: number, epsilon: number) => {
  const prices = { unitNoises: Array.from({ length: marginals }, () => one), price: rational(epsilon) }
  return (toNumber(usualStep(rational(n), prices)) / n) * 1e6
}

test('noise goes down by millionths of n, and by multiples of that for more than fifty marginals', () => {
  expect(stepFor(9, 1)).toBeCloseTo(1, 12)
  expect(stepFor(50, 1)).toBeCloseTo(1, 12)
  expect(stepFor(51, 1)).toBeCloseTo(2, 12)
  expect(stepFor(2925, 1)).toBeCloseTo(59, 12)
})

test('no step is more than a 200th of the scale that equal shares would have', () => {
  for (const epsilon of [10, 30, 100, 1000]) {
    const step = stepFor(2925, epsilon)
    expect(step).toBeCloseTo(Math.round(step), 9)
    expect(step === 1 || (step * n) / 1e6 <= 2925 / epsilon / 200).toBe(true)
  }
})
