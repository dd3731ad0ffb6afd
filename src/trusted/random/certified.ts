import type { Bits } from './bits.ts'

/*
 * Comparing a uniform number with a real one, without ever rounding the outcome: the uniform is known to so many bits,
 * the other between two bounds, and both are sharpened until they part.
 */

/** low ≤ value · 2^precision ≤ high. */
export interface Bounds {
  readonly low: bigint
  readonly high: bigint
}

/**
 * Bounds of exp(-num/den), num ≥ 0, at most a few units apart. With h = x/2^j ≤ 1/2 the terms t_k = floor(t_(k-1) h/k)
 * of the alternating series are at most 2 units short each (an error halves, then rounding adds one), and so is the
 * first one left out; that gives e^-h within 2K+2 units. Squaring j times, rounding low down and high up, gives e^-x.
 */
export function expBounds(num: bigint, den: bigint, precision: number): Bounds {
  if (num > den * BigInt(precision)) return { low: 0n, high: 1n } // e^-x < 2^-x
  let halvings = 0n
  while (num * 2n > den << halvings) halvings++
  const working = BigInt(precision) + halvings + 12n
  const step = den << halvings
  let term = 1n << working
  let sum = term
  let k = 0n
  while (term > 0n) {
    k++
    term = (term * num) / (step * k)
    sum += k % 2n === 1n ? -term : term
  }
  let low = sum - (2n * k + 2n)
  let high = sum + (2n * k + 2n)
  for (let i = 0n; i < halvings; i++) {
    low = (low * low) >> working
    high = ((high * high) >> working) + 1n
  }
  const spare = working - BigInt(precision)
  return { low: low >> spare, high: (high >> spare) + 1n }
}

/** A uniform number in [0, 1) of which the leading bits are drawn: it lies in [value, value + 1) / 2^length. */
export class LazyUniform {
  value: bigint
  length: number
  readonly #bits: Bits

  constructor(value: bigint, length: number, bits: Bits) {
    this.value = value
    this.length = length
    this.#bits = bits
  }

  extend(): void {
    this.value = (this.value << 32n) | BigInt(this.#bits.uint32())
    this.length += 32
  }

  /** Whether it is below the real number that `bounds` encloses; ends with probability 1. */
  isBelow(bounds: (precision: number) => Bounds): boolean {
    for (;;) {
      const { low, high } = bounds(this.length)
      if (this.value + 1n <= low) return true
      if (this.value >= high) return false
      this.extend()
    }
  }
}
