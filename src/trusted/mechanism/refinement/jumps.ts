import type { Rational } from '../../../numeric/index.ts'
import { type Bits, expBounds, LazyUniform, nearScale } from '../../random/index.ts'
import type { Scales } from './scales.ts'

/*
 * When the noise of a path next changes. Between two scales s < s' of the grid it stays as it is with probability
 * w(s')/w(s), w(s) = cosh(1/s) - 1, and these ratios telescope: the next jump from level i is the first level j with
 * w_j ≤ U·w_i. Doubles with a proven error decide unless the two sides are close; then U is drawn further and compared
 * with exact bounds.
 */

/** cosh(1/s) - 1 is known to this relative error: see `weightAt`. */
const relativeError = 2 ** -40

/** Scales and what is computed from them once. */
export interface Levels {
  readonly scales: Scales
  readonly weight: Float64Array
  /** Levels per unit of scale if the grid were even: a hint where to look, nothing more. */
  readonly density: number
}

export function levelsOf(scales: Scales): Levels {
  const count = scales.length
  const span = nearScale(scales.at(count - 1)!) - nearScale(scales.at(0)!)
  const weight = Float64Array.from({ length: count }, (_, level) => weightAt(scales.at(level)!))
  return { scales, weight, density: span > 0 ? (count - 1) / span : 0 }
}

/**
 * cosh(y) - 1 for y = 1/s ≤ 500: the series Σ y^2k/(2k)! has positive terms, the k-th off by less than 5k·2^-53, fewer
 * than 500 of them before the rest is below 2^-60 of the sum: less than 2^-41 in all, with the additions. y is within
 * 2^-50, which moves the result by at most y + 2 times that: less than 2^-41 again.
 */
function weightAt(scale: Rational): number {
  const square = (1 / nearScale(scale)) ** 2
  let term = square / 2
  let total = term
  for (let k = 2; term > total * 2 ** -60 || square > 2 * (k - 1) ** 2; k++) {
    term *= square / ((2 * k - 1) * (2 * k))
    total += term
  }
  return total
}

/** The first level above `level` at which a path that is there jumps; their number when it does not. */
export function nextJump(level: number, levels: Levels, bits: Bits): number {
  const { scales, weight } = levels
  const high = bits.uint32()
  const low = bits.uint32() >>> 12
  const from = weight[level]!
  // U·w_level lies between these.
  const least = (high * 2 ** 20 + low) * 2 ** -52 * from * (1 - 4 * relativeError)
  const most = (high * 2 ** 20 + low + 1) * 2 ** -52 * from * (1 + 4 * relativeError)
  const first = firstAtMost(most, levels, level + 1)
  if (first === scales.length || weight[first]! <= least) return first
  const uniform = new LazyUniform(BigInt(high) * 2n ** 20n + BigInt(low), 52, bits)
  let next = first
  while (next < scales.length && !jumpsBy(uniform, scales.at(level)!, scales.at(next)!)) next++
  return next
}

/**
 * A level from `start` on whose weight is at most the limit while the one before is not (the end counts as such). Looks
 * first where an even grid would have it, w ≈ 1/2s², and in widening steps around: a search from the middle would miss
 * the cache at every step.
 */
function firstAtMost(limit: number, { weight, density }: Levels, start: number): number {
  const distance = (1 / Math.sqrt(2 * limit) - 1 / Math.sqrt(2 * weight[0]!)) * density
  const guess = Math.max(start, Math.min(weight.length - 1, Math.floor(distance)))
  let [low, high] = [start, weight.length]
  for (let step = 1, at = guess; at >= low && at < high; step *= 2) {
    if (weight[at]! <= limit) {
      high = at
      at -= step
    } else {
      low = at + 1
      at += step
    }
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (weight[middle]! <= limit) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Whether w(to) ≤ U·w(from), exactly: with 2w = (1-a)²/a and a = exp(-1/s) the ratio falls in `to`'s a and rises in
 * `from`'s.
 */
export function jumpsBy(uniform: LazyUniform, from: Rational, to: Rational): boolean {
  return !uniform.isBelow((precision) => {
    // Room for the digits that 1 - a loses at large scales and a itself at small ones.
    const working = 2 * precision + 128 + 4 * Number(from.den / from.num)
    const unit = 1n << BigInt(working)
    const a = expBounds(from.den, from.num, working)
    const b = expBounds(to.den, to.num, working)
    const ratio = (fine: bigint, coarse: bigint) =>
      (((unit - coarse) ** 2n * fine) << BigInt(precision)) / (coarse * (unit - fine) ** 2n)
    return { low: ratio(a.low, b.high), high: ratio(a.high, b.low) + 1n }
  })
}
