import { expect, test } from 'vitest'
import { chiSquareTail, logGamma, pValue } from './goodness.ts'

test('log gamma at integers and at one half', () => {
  expect(logGamma(5)).toBeCloseTo(Math.log(24), 10)
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 10)
})

// With two degrees of freedom the tail is exp(-x/2), with four exp(-x/2)(1 + x/2).
test('chi-square tails where they have a closed form', () => {
  for (const x of [0.1, 1, 2, 5, 20, 60]) {
    expect(chiSquareTail(x, 2) / Math.exp(-x / 2)).toBeCloseTo(1, 10)
    expect(chiSquareTail(x, 4) / (Math.exp(-x / 2) * (1 + x / 2))).toBeCloseTo(1, 10)
  }
})

test('draws in exact proportion fit, a shifted law does not', () => {
  const die = (k: number) => Math.min(1, Math.max(0, Math.floor(k) / 6))
  const draws = Array.from({ length: 60_000 }, (_, i) => 1 + (i % 6))
  expect(pValue(draws, die)).toBeCloseTo(1, 10)
  expect(pValue(draws, (k) => die(k) ** 1.1)).toBeLessThan(1e-6)
})
