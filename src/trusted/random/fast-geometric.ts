import type { Rational } from '../../numeric/index.ts'
import type { Bits } from './bits.ts'
import { type Bounds, expBounds, LazyUniform } from './certified.ts'
import { leastHighWord, minusLog, minusLogError, powers } from './minus-log.ts'

/*
 * The geometric law Pr(G ≥ k) = exp(-k/b) by inversion: G = floor(-b ln U). A double estimate with a proven error
 * decides unless a whole number lies within the error; then the same U is drawn further and compared with exact bounds.
 * The law is exact.
 */

/** Scales up to this are drawn fast: far above it too many draws would be undecided. */
const fastLimit = 2n ** 36n

/** Whether a scale is in reach; the bound on the denominator keeps the conversion below from overflowing. */
export const isFast = (scale: Rational): boolean => scale.num <= fastLimit * scale.den && scale.den < 2n ** 900n

/**
 * The scale as a double, within 2^-51 of it relatively: both conversions and the quotient round to nearest. Who draws
 * from many scales keeps it beside each.
 */
export const nearScale = (scale: Rational): number => Number(scale.num) / Number(scale.den)

/** One draw from the geometric law; `near` is nearScale(scale), and isFast(scale) must hold. */
export const fastGeometric = (near: number, scale: Rational, bits: Bits): number =>
  invert(near, scale, bits.uint32(), bits.uint32(), bits)

/** One draw from the discrete Laplace law: a sign for a geometric magnitude, and minus nothing is drawn again. */
export function fastLaplace(near: number, scale: Rational, bits: Bits): number {
  for (;;) {
    const high = bits.uint32()
    const low = bits.uint32()
    const magnitude = invert(near, scale, high, low, bits)
    if (magnitude > 0 || (low & 1) === 0) return signed(magnitude, low)
  }
}

/** Above this scale fewer than 1 in 60 draws is minus nothing, and drawing again is cheaper than a word for zero. */
const rareZero = 30

/**
 * Many draws of one scale. Where zero is common it is drawn first, with its own probability (1-a)/(1+a), a = exp(-1/b),
 * else a sign and 1 + a geometric number; so nothing is drawn twice.
 */
export function fastLaplaces(scale: Rational, count: number, bits: Bits): Float64Array {
  const draws = new Float64Array(count)
  const near = nearScale(scale)
  if (near > rareZero) {
    for (let i = 0; i < count; i++) draws[i] = fastLaplace(near, scale, bits)
    return draws
  }
  const { low: surely, high: perhaps } = zeroBounds(scale, 32)
  const [below, above] = [Number(surely), Number(perhaps)]
  for (let i = 0; i < count; i++) {
    const word = bits.uint32()
    if (word < below) continue
    if (word < above && new LazyUniform(BigInt(word), 32, bits).isBelow((p) => zeroBounds(scale, p))) continue
    const high = bits.uint32()
    const low = bits.uint32()
    draws[i] = signed(1 + invert(near, scale, high, low, bits), low)
  }
  return draws
}

/** Bounds of (1-a)/(1+a), which falls as a rises. */
function zeroBounds({ num, den }: Rational, precision: number): Bounds {
  const p = BigInt(precision)
  const one = 1n << p
  const a = expBounds(den, num, precision)
  return { low: ((one - a.high) << p) / (one + a.high), high: ((one - a.low) << p) / (one + a.low) + 1n }
}

/** Plus or minus by the last bit. */
const signed = (magnitude: number, word: number): number => (1 - 2 * (word & 1)) * magnitude

/**
 * floor(-b ln U) for the U that begins with the 32 bits of `high` and the leading 20 of `low` (the other 12 are the
 * caller's). With u these 52 bits, z their leading zeros, L = minusLog(u) and e its error, -ln U lies in (L - e -
 * 2^(z-51), L + e], since ln(1 + 2^-52/u) ≤ 2^-52/u ≤ 2^(z-51). The margin takes twice that, and 2^-48 of the product
 * for the scale's error and all roundings.
 */
function invert(near: number, scale: Rational, high: number, low: number, bits: Bits): number {
  if (high >= leastHighWord) {
    const value = near * minusLog(high, low >>> 12)
    const margin = value * 2 ** -48 + near * (2 * minusLogError + 2 * powers[Math.clz32(high)]!)
    const draw = Math.floor(value - margin)
    if (draw === Math.floor(value + margin)) return draw
  }
  return decide(scale, new LazyUniform(BigInt(high) * 2n ** 20n + BigInt(low >>> 12), 52, bits))
}

/** The k with exp(-(k+1)/b) ≤ U < exp(-k/b). The first guess only saves time; exact comparisons correct it. */
function decide({ num, den }: Rational, uniform: LazyUniform): number {
  while (uniform.value < 2n ** 60n) uniform.extend()
  const logarithm = Math.log(Number(uniform.value)) - uniform.length * Math.LN2
  let k = BigInt(Math.max(0, Math.floor((-logarithm * Number(num)) / Number(den))))
  const isBelow = (exponent: bigint) => uniform.isBelow((precision) => expBounds(exponent * den, num, precision))
  while (isBelow(k + 1n)) k++
  while (k > 0n && !isBelow(k)) k--
  return Number(k)
}
