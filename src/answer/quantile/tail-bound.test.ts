import { expect, test } from 'vitest'
import { errorLawByCharacteristic, type Term } from '../../inference/index.ts'
import { tailBound } from './tail-bound.ts'

const laplace = (scale: number, coefficient: number, count: number): Term => ({
  law: { kind: 'laplace', scale },
  coefficient,
  count,
})
const normal: Term = { law: { kind: 'gaussian', variance: 50 }, coefficient: 0.3, count: 4 }

test.each<[string, Term[]]>([
  ['one noise', [laplace(20, 1, 1)]],
  ['little noise', [laplace(0.3, 1, 2)]],
  ['many noises', [laplace(20, 0.5, 9), laplace(20, 0.01, 7), laplace(3, 2, 1)]],
  ['normal noises', [normal]],
])('the bound is wider than the exact half-width, and not by much: %s', (_, terms) => {
  const { variance, halfWidth } = errorLawByCharacteristic(terms)
  for (const doubt of [0.05, 0.001]) {
    const exact = halfWidth(1 - doubt)
    const bound = tailBound(terms, variance, doubt)
    // Widths lie on the steps of the noise; bounds do not.
    expect(bound).toBeGreaterThan(exact - 1)
    expect(bound).toBeLessThan(2.2 * exact + 2)
  }
})
