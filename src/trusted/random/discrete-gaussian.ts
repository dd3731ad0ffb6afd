import type { Rational } from '../../numeric/index.ts'
import { bernoulliExpBig } from './bernoulli.ts'
import type { Bits } from './bits.ts'
import { expBounds, LazyUniform } from './certified.ts'
import { discreteLaplace } from './discrete-laplace.ts'
import { fastLaplace, isFast, nearScale } from './fast-geometric.ts'
import { leastHighWord, minusLog, minusLogError, powers } from './minus-log.ts'

/*
 * The discrete Gaussian law P(k) ∝ exp(-k²/2σ²) for a rational σ² (Canonne, Kamath, Steinke 2020, Algorithm 3): a
 * discrete Laplace number Y of the integer scale t = floor(σ)+1 is kept with probability exp(-γ), γ = (|Y| -
 * σ²/t)²/2σ². Exact: |y|/t + γ = y²/2σ² + a constant. Proof: docs/algorithms/discrete-gaussian.md
 */

/** One draw, by integer comparisons alone. Throws RangeError unless the variance is above 0. */
export function discreteGaussian(variance: Rational, bits: Bits): bigint {
  const t = laplaceScale(variance)
  for (;;) {
    const draw = discreteLaplace(t, bits)
    const { num, den } = exponent(draw, t.num, variance)
    if (bernoulliExpBig(num, den, bits)) return draw
  }
}

/** Independent draws from the same law: doubles where all are below 2^53 in size, else BigInts. */
export function discreteGaussians(variance: Rational, count: number, bits: Bits): Float64Array | bigint[] {
  const t = laplaceScale(variance)
  if (isFast(t) && variance.den < 2n ** 900n) return fastGaussians(variance, t, count, bits)
  const draws = Array.from({ length: count }, () => discreteGaussian(variance, bits))
  return draws.every((draw) => Number.isSafeInteger(Number(draw))) ? Float64Array.from(draws, Number) : draws
}

/**
 * The coin of exp(-γ) is U < exp(-γ), or -ln U > γ: doubles decide where they are surely apart, exact bounds otherwise.
 * Errors: centre and variance are within 2^-51 relatively, so |Y| - centre is off by less than e = (|Y| +
 * centre)·2^-50, γ by less than (2|Y - centre|·e + e²)/2σ² and 2^-48 of itself; -ln U as in fast-geometric.ts.
 */
function fastGaussians(variance: Rational, t: Rational, count: number, bits: Bits): Float64Array {
  const draws = new Float64Array(count)
  const near = nearScale(t)
  const [twice, centre] = [2 * nearScale(variance), nearScale(variance) / near]
  const keeps = (draw: number): boolean => {
    const size = Math.abs(draw)
    const distance = Math.abs(size - centre)
    const high = bits.uint32()
    const low = bits.uint32() >>> 12
    if (high >= leastHighWord) {
      const e = (size + centre) * 2 ** -50
      const gamma = (distance * distance) / twice
      const above = minusLog(high, low) - gamma
      const margin =
        gamma * 2 ** -47 + ((2 * distance + e) * e) / twice + 2 * minusLogError + 2 * powers[Math.clz32(high)]!
      if (above > margin) return true
      if (above < -margin) return false
    }
    const { num, den } = exponent(BigInt(draw), t.num, variance)
    const uniform = new LazyUniform(BigInt(high) * 2n ** 20n + BigInt(low), 52, bits)
    return uniform.isBelow((precision) => expBounds(num, den, precision))
  }
  for (let i = 0; i < count; i++) {
    let draw = fastLaplace(near, t, bits)
    while (!keeps(draw)) draw = fastLaplace(near, t, bits)
    draws[i] = draw
  }
  return draws
}

/** γ of a draw y as a fraction: with σ² = p/q it is (|y|tq - p)² / 2pqt². */
function exponent(y: bigint, t: bigint, { num: p, den: q }: Rational): Rational {
  const distance = (y < 0n ? -y : y) * t * q - p
  return { num: distance * distance, den: 2n * p * q * t * t }
}

/** floor(σ) + 1. */
function laplaceScale({ num, den }: Rational): Rational {
  if (num <= 0n || den <= 0n) throw new RangeError('a noise variance must be above 0')
  return { num: squareRoot(num / den) + 1n, den: 1n }
}

/** floor(√n), by Newton's steps from above. */
function squareRoot(n: bigint): bigint {
  if (n < 2n) return n
  let root = 1n << BigInt((n.toString(2).length >> 1) + 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
