import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { discreteLaplace, discreteLaplaces } from './index.ts'

test('a scale far below the step gives no noise at all', () => {
  const bits = seededBits(1)
  const tiny = rational(1, 10 ** 9)
  for (let i = 0; i < 1000; i++) expect(discreteLaplace(tiny, bits)).toBe(0n)
  expect([...discreteLaplaces(tiny, 1000, bits)].every((k) => Object.is(k, 0))).toBe(true)
})

test('noise that doubles cannot hold comes as BigInts, all of it', () => {
  const draws = discreteLaplaces(rational(10n ** 20n), 50, seededBits(2))
  expect(draws).toHaveLength(50)
  expect((draws as bigint[]).every((k) => typeof k === 'bigint')).toBe(true)
  // With median |k| of 0.7 · 10^20 all fifty are below 2^53 with probability 10^-200.
  expect((draws as bigint[]).some((k) => k > 2n ** 60n || k < -(2n ** 60n))).toBe(true)
})

test('no scale, no noise: zero and negative scales are refused', () => {
  const bits = seededBits(3)
  for (const bad of [rational(0), rational(-3, 2)]) {
    expect(() => discreteLaplace(bad, bits)).toThrow(RangeError)
    expect(() => discreteLaplaces(bad, 3, bits)).toThrow(RangeError)
  }
})
