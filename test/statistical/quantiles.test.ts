import { describe, expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { quantileCases, quantileCoverage } from '../support/quantile-coverage.ts'

const uniform = (seed: number) => {
  const bits = seededBits(seed)
  return () => bits.uint32() / 2 ** 32
}

// Of 20 histories 95% or more hold: fewer than 12 do once in 10^7 times at most.
// With a history, and over more of them, in the long tests.
const cases = quantileCases.filter(({ name }) => !/history|free/.test(name))
describe('intervals of quantiles hold the true ones', () => {
  test.each(cases)('$name', async (of) => {
    const { held } = await quantileCoverage(of, 20, uniform(1))
    expect(held).toBeGreaterThanOrEqual(12)
  })
})
