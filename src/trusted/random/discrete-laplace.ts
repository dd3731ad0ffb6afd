import type { Rational } from '../../numeric/index.ts'
import type { Bits } from './bits.ts'
import { fastLaplaces, isFast } from './fast-geometric.ts'
import { geometricBig, geometricSmall, smallLimit } from './geometric.ts'

/**
 * Draws from the discrete Laplace law P(k) ∝ exp(-|k|/scale) on the integers, exactly, for any rational scale > 0.
 * Proof: docs/algorithms/discrete-laplace.md
 */
export function discreteLaplace(scale: Rational, bits: Bits): bigint {
  checkScale(scale)
  return isSmall(scale)
    ? BigInt(signedSmall(Number(scale.num), Number(scale.den), bits))
    : signedBig(scale.num, scale.den, bits)
}

/** Independent draws from the same law: doubles where all are below 2^53 in size, else BigInts. */
export function discreteLaplaces(scale: Rational, count: number, bits: Bits): Float64Array | bigint[] {
  checkScale(scale)
  if (isFast(scale)) return fastLaplaces(scale, count, bits)
  const draws = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const draw = signedBig(scale.num, scale.den, bits)
    if (!Number.isSafeInteger(Number(draw))) return beyondDoubles(draws.subarray(0, i), draw, count, scale, bits)
    draws[i] = Number(draw)
  }
  return draws
}

/** Goes on in BigInts after the first draw that a double cannot hold. */
function beyondDoubles(before: Float64Array, draw: bigint, count: number, scale: Rational, bits: Bits): bigint[] {
  const draws = [...before].map(BigInt)
  draws.push(draw)
  while (draws.length < count) draws.push(signedBig(scale.num, scale.den, bits))
  return draws
}

/** A sign for a geometric magnitude; minus nothing is drawn again, else zero would count twice. */
function signedSmall(t: number, s: number, bits: Bits): number {
  for (;;) {
    const magnitude = geometricSmall(t, s, bits)
    if (isHead(bits)) return magnitude
    if (magnitude > 0) return -magnitude
  }
}

function signedBig(t: bigint, s: bigint, bits: Bits): bigint {
  for (;;) {
    const magnitude = geometricBig(t, s, bits)
    if (isHead(bits)) return magnitude
    if (magnitude > 0n) return -magnitude
  }
}

const isHead = (bits: Bits): boolean => (bits.uint32() & 1) === 0

const isSmall = (scale: Rational): boolean => scale.num < smallLimit && scale.den < smallLimit

function checkScale(scale: Rational): void {
  if (scale.num <= 0n || scale.den <= 0n) throw new RangeError('a noise scale must be above 0')
}
