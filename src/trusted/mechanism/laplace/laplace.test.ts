import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { seal } from '../../exact/seal.ts'
import { discreteLaplaces } from '../../random/index.ts'
import { laplace } from './index.ts'

const scale = rational(7, 3)
const difference = (a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>) =>
  Array.from(a, (value, i) => BigInt(value) - BigInt(b[i]!))

test('what is added is the noise of the law and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 30 }), fc.nat(), (values, seed) => {
      const noisy = laplace(seal(Float64Array.from(values)), scale, seededBits(seed))
      const noise = discreteLaplaces(scale, values.length, seededBits(seed))
      expect(difference(noisy, values)).toEqual(Array.from(noise, BigInt))
    }),
  )
})

test('doubles stay doubles while they are exact, and turn into BigInts before they are not', () => {
  const bits = seededBits(1)
  expect(laplace(seal(Float64Array.of(0, 5, -3)), scale, bits)).toBeInstanceOf(Float64Array)
  const edge = Float64Array.from({ length: 100 }, () => Number.MAX_SAFE_INTEGER)
  const noisy = laplace(seal(edge), scale, bits)
  expect(Array.isArray(noisy)).toBe(true)
  expect(difference(noisy, edge).some((noise) => noise > 0n)).toBe(true)
})

test('BigInts and noise beyond 2^53 are added exactly', () => {
  const values = [10n ** 30n, -(10n ** 30n), 0n]
  const noise = discreteLaplaces(scale, 3, seededBits(5))
  expect(laplace(seal(values), scale, seededBits(5))).toEqual(values.map((value, i) => value + BigInt(noise[i]!)))
  const wide = rational(10n ** 25n)
  const small = laplace(seal(Float64Array.of(1, 2, 3)), wide, seededBits(6))
  expect(difference(small, [1, 2, 3])).toEqual(discreteLaplaces(wide, 3, seededBits(6)))
})

test('an empty answer stays empty, the exact one is not touched, and every call draws afresh', () => {
  expect(laplace(seal(new Float64Array()), scale).length).toBe(0)
  const values = new Float64Array(1000)
  const [a, b] = [laplace(seal(values), scale), laplace(seal(values), scale)]
  expect(values.every((value) => value === 0)).toBe(true)
  expect(difference(a, b).some((d) => d !== 0n)).toBe(true)
})

test('a scale that is no scale is refused', () => {
  for (const bad of [rational(0), rational(-1, 2)])
    expect(() => laplace(seal(Float64Array.of(1)), bad)).toThrow(RangeError)
})
