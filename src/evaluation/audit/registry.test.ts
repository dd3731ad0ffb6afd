import { expect, test } from 'vitest'
import { mechanismNamed, mechanisms } from './registry.ts'

test('names are unique and found', () => {
  expect(new Set(mechanisms.map((m) => m.name)).size).toBe(mechanisms.length)
  for (const mechanism of mechanisms) expect(mechanismNamed(mechanism.name)).toBe(mechanism)
})

// 0.75: what accounting by zCDP loses against the Gaussian law itself, and the edge of what eight candidates can show.
test('what is computed from the law of a shipped mechanism is its claim, or a little less', () => {
  for (const { name, kind, claim, exact } of mechanisms) {
    if (kind === 'control' || !exact) continue
    // Sums and logarithms of doubles.
    expect(exact(), name).toBeLessThanOrEqual(claim.epsilon + 1e-9)
    expect(exact(), name).toBeGreaterThan(0.75 * claim.epsilon)
  }
})
