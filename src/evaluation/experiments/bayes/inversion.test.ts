import { expect, test } from 'vitest'
import { errorOf, referenceMasses } from './inversion.ts'

test('the reference has the closed form of two noises of one scale', () => {
  const scale = 8
  const noise = { law: { kind: 'continuous-laplace', scale }, coefficient: 1, count: 1 } as const
  const above = (x: number) => (Math.exp(-x / scale) * (2 + x / scale)) / 4
  // A period of 160 lets 10^-7 come back from the other side.
  const masses = referenceMasses([noise, noise], 20)
  expect(masses[0]).toBeCloseTo(1 - 2 * above(0.5), 6)
  for (let k = 1; k <= 20; k++) expect(masses[k]).toBeCloseTo(above(k - 0.5) - above(k + 0.5), 6)
})

test('the error counts both sides, and what a vector lacks', () => {
  // The middle is off by 0.1; both neighbours are right; the bins beyond are missing, and 0.1 is in each.
  expect(errorOf(Float64Array.of(0.2, 0.5, 0.2), Float64Array.of(0.4, 0.2, 0.1))).toBeCloseTo(0.01 + 2 * 0.01, 12)
})
