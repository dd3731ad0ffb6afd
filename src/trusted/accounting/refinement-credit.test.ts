import { describe, expect, test } from 'vitest'
import { laplacePmf } from '../../numeric/index.ts'

/*
 * Why a refinement is charged in full in ρ (docs/algorithms/two-currencies.md), by sums over the laws of two
 * neighbours, whose exact answers are 0 and 1: y has scale 10, y' scale 5. All terms are positive, so what lies beyond
 * the sums can only add; it is below e^-20 of them.
 */
const [b, finer] = [10, 5]
const rho = (scale: number) => 1 / (2 * scale * scale)
const around = (y: number) => Array.from({ length: 601 }, (_, i) => y - 300 + i)
const sum = (values: number[]) => values.reduce((a, c) => a + c, 0)

const atom = (Math.sinh(1 / (2 * b)) / Math.sinh(1 / (2 * finer))) ** 2
const difference = (v: number) => (v === 0 ? atom : 0) + (1 - atom) * laplacePmf(b, v)
/** Pr(y' | y) where the exact answer is x. */
const given = (x: number, y: number, next: number) =>
  (laplacePmf(finer, next - x) * difference(y - next)) / laplacePmf(b, y - x)

/** p^α·q^(1-α), the terms of exp((α-1)·D_α). */
const term = (order: number, p: number, q: number) => p * (p / q) ** (order - 1)
/** D_α of the second step alone, given y. */
const second = (order: number, y: number) =>
  Math.log(sum(around(y).map((next) => term(order, given(0, y, next), given(1, y, next))))) / (order - 1)

test('the law of the second step is one', () => {
  for (const [x, y] of [
    [0, 4],
    [1, -3],
  ] as const)
    expect(Math.abs(sum(around(y).map((next) => given(x, y, next))) - 1)).toBeLessThan(1e-9)
})

describe('a credit for the first answer would be wrong, at order 4', () => {
  const order = 4
  const credited = order * (rho(finer) - rho(b))

  test('from y = 1 on the second step costs 1.18 times the difference of the ρs, below it 0.77 times', () => {
    for (const y of [1, 2, 17, 60]) expect(second(order, y) / credited).toBeCloseTo(1.1814, 4)
    for (const y of [0, -1, -17, -60]) expect(second(order, y) / credited).toBeCloseTo(0.7675, 4)
  })

  test('so refining from y = 1 on, and buying Gaussian noise below, costs 1.04 times the claim in all', () => {
    const [dear, cheap] = [second(order, 1), credited].map((d) => Math.exp((order - 1) * d))
    const whole = sum(
      around(0).map((y) => term(order, laplacePmf(b, y), laplacePmf(b, y - 1)) * (y >= 1 ? dear! : cheap!)),
    )
    expect(Math.log(whole) / (order - 1) / (order * rho(finer))).toBeCloseTo(1.0406, 4)
  })
})

test.each([1.5, 2, 4, 8, 16, 64])('the full charge covers the second step at order %d, whatever y was', (order) => {
  for (const y of [-40, -3, -1, 0, 1, 2, 4, 40]) expect(second(order, y)).toBeLessThanOrEqual(order * rho(finer))
})
