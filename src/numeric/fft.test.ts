import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convolve, convolveDirectly, fft, powerOfTwo } from './fft.ts'

const numbers = (n: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }).map((x) => Float64Array.from(x))

/** The definition. */
function slow(real: Float64Array, imaginary: Float64Array): [number[], number[]] {
  const n = real.length
  const sum = (j: number, part: (angle: number, k: number) => number) =>
    real.reduce((total, _, k) => total + part((-2 * Math.PI * ((j * k) % n)) / n, k), 0)
  const indices = [...real.keys()]
  return [
    indices.map((j) => sum(j, (t, k) => real[k]! * Math.cos(t) - imaginary[k]! * Math.sin(t))),
    indices.map((j) => sum(j, (t, k) => real[k]! * Math.sin(t) + imaginary[k]! * Math.cos(t))),
  ]
}
/** Both forms round some n·log n sums of numbers up to 1: 10^-16 each, a hundred times that is plenty and still tells. */
const close = (a: ArrayLike<number>, b: ArrayLike<number>, n: number) => {
  for (let k = 0; k < b.length; k++) expect(Math.abs(a[k]! - b[k]!)).toBeLessThan(1e-14 * n)
}

describe('the transform', () => {
  test.each([1, 2, 4, 8, 64, 256])('of %d numbers is the sum that defines it', (n) => {
    fc.assert(
      fc.property(numbers(n), numbers(n), (x, y) => {
        const [real, imaginary] = slow(x, y)
        const [u, v] = [x.slice(), y.slice()]
        fft(u, v)
        close(u, real, n)
        close(v, imaginary, n)
      }),
      { numRuns: 20 },
    )
  })

  test('exchanging the arrays goes back', () => {
    fc.assert(
      fc.property(numbers(512), numbers(512), (x, y) => {
        const [u, v] = [x.slice(), y.slice()]
        fft(u, v)
        fft(v, u)
        close(
          u.map((z) => z / 512),
          x,
          512,
        )
        close(
          v.map((z) => z / 512),
          y,
          512,
        )
      }),
      { numRuns: 20 },
    )
  })

  test('powers of two only', () => {
    expect(() => fft(new Float64Array(6), new Float64Array(6))).toThrow(RangeError)
    expect(() => fft(new Float64Array(4), new Float64Array(8))).toThrow(RangeError)
    expect([1, 2, 3, 1000, 1024].map(powerOfTwo)).toEqual([1, 2, 4, 1024, 1024])
  })
})

describe('convolution', () => {
  const lengths = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }))
  test('fast as slow, on both sides of the switch', () => {
    fc.assert(
      fc.property(
        lengths.chain(([m, n]) => fc.tuple(numbers(m), numbers(n))),
        ([u, v]) => {
          const expected = convolveDirectly(u, v)
          const sum = convolve(u, v)
          expect(sum.length).toBe(u.length + v.length - 1)
          close(sum, expected, 300)
        },
      ),
      { numRuns: 60 },
    )
  })
  test('by hand', () => {
    expect([...convolveDirectly(Float64Array.of(1, 2, 3), Float64Array.of(4, 5))]).toEqual([4, 13, 22, 15])
  })
})
