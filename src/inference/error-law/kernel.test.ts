import { expect, test } from 'vitest'
import { kernelLoss, kernelReach, kernelTransform } from './kernel.ts'

/** √(1-x²)·I_1(β√(1-x²)) by the series of the Bessel function: (β/2)·Σ (β²(1-x²)/4)^k·(1-x²)/(k!(k+1)!). */
function density(x: number): number {
  const u = (1 - x * x) * (kernelReach / 2) ** 2
  let total = 0
  for (let k = 0, term = 1 - x * x; k < 120; k++, term *= u / (k * (k + 1))) total += term
  return total
}

/** Gauss's trapezoids on a function that ends like √: 4,000 of them in x = sin θ. */
function transform(s: number): number {
  const n = 4000
  let total = 0
  for (let i = 0; i < n; i++) {
    const angle = ((i + 0.5) / n - 0.5) * Math.PI
    total += density(Math.sin(angle)) * Math.cos(angle) * Math.cos(s * Math.sin(angle))
  }
  return total
}

test('the transform is that of a positive density on [-1, 1]', () => {
  const whole = transform(0)
  for (const s of [0, 0.5, 3, 10, 25, 29.9, 30, 30.05, 31, 40, 100]) {
    // Both are rounded at 10^-16 of the whole.
    expect(Math.abs(kernelTransform(s) - transform(s) / whole)).toBeLessThan(1e-14)
  }
  for (let x = -0.99; x < 1; x += 0.01) expect(density(x)).toBeGreaterThan(0)
})

test('what is lost beyond its reach is bounded', () => {
  for (const [first, s] of [
    [1000, 0.03],
    [1000, 0.04],
    [50, 0.7],
    [20_000, 0.0015],
  ] as const) {
    let lost = 0
    for (let n = first; n < 100 * first; n++) lost += ((2 / Math.PI) * Math.abs(kernelTransform(n * s))) / n
    expect(lost).toBeLessThan(kernelLoss(first, s))
    expect(kernelLoss(first, s)).toBeLessThan(2e-10)
  }
})
