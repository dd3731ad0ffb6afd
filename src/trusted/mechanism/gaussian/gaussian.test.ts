import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { seal } from '../../exact/seal.ts'
import { discreteGaussians } from '../../random/index.ts'
import { gaussian } from './index.ts'

const variance = rational(50, 7)

test('what is added is the noise of the law and nothing else, in doubles and beyond', () => {
  for (const values of [Float64Array.of(3, -5, 0, 2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1), [10n ** 30n, -1n]]) {
    const noise = discreteGaussians(variance, values.length, seededBits(9))
    const noisy = gaussian(seal(values), variance, seededBits(9))
    expect(Array.from<number | bigint, bigint>(noisy, BigInt)).toEqual(
      Array.from<number | bigint, bigint>(values, (value, i) => BigInt(value) + BigInt(noise[i]!)),
    )
  }
})

test('by default every call draws afresh; a variance that is none is refused', () => {
  const exact = seal(new Float64Array(1000))
  expect(gaussian(exact, variance)).not.toEqual(gaussian(exact, variance))
  for (const bad of [rational(0), rational(-1)]) expect(() => gaussian(exact, bad)).toThrow(RangeError)
})

/*
 * The privacy of the law itself: for answers 0 and 1 the Rényi divergence of order α is at most α/2σ², summed over all
 * outputs that weigh anything. For whole orders the sum is the law's own, shifted, and the bound is met.
 */
test('the Rényi divergence of neighbouring answers is at most α/2σ²', () => {
  for (const v of [0.3, 1, 7.25, 100]) {
    const reach = Math.ceil(40 * Math.sqrt(v)) + 40
    const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => -((i - reach) ** 2) / (2 * v))
    const total = weights.reduce((sum, w) => sum + Math.exp(w), 0)
    const log = (k: number) => -(k * k) / (2 * v) - Math.log(total)
    for (const order of [1.5, 2, 8]) {
      let moment = 0
      for (let k = -reach; k <= reach; k++) moment += Math.exp(order * log(k) + (1 - order) * log(k - 1))
      const divergence = Math.log(moment) / (order - 1)
      expect(divergence).toBeLessThan(order / (2 * v) + 1e-9)
      if (Number.isInteger(order)) expect(divergence).toBeGreaterThan(order / (2 * v) - 1e-9)
    }
  }
})
