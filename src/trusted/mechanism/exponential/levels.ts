import type { Rational } from '../../../numeric/index.ts'
import { type Bits, bernoulliTwoOverE, uniformBelow } from '../../random/index.ts'
import { exponentialCoin } from './coin.ts'

/** Candidates behind by e^-24 or more are on the last level. 2^24 slots for each of 2^28 candidates are below 2^53. */
const usualLast = 24

/**
 * One of so many places, with probability ∝ exp(-rate·gap), exactly. A place of level k = ⌊rate·gap⌋, or the last one, is drawn with
 * probability ∝ 2^-k and kept with (2/e)^k · exp(k - rate·gap): together 1 in exp(rate·gap). Gaps are whole and not negative.
 */
export function pickByLevel(count: number, gap: Gap, rate: Rational, bits: Bits, lastLevel = usualLast): number {
  const { sizes, order } = sorted(count, gap, rate, lastLevel)
  const slotsAt = (level: number) => 2 ** (lastLevel - level)
  const keeps = exponentialCoin(rate, bits)
  const slots = sizes.reduce((sum, size, level) => sum + size * slotsAt(level), 0)
  for (;;) {
    let slot = uniformBelow(slots, bits)
    let level = 0
    let first = 0
    for (; slot >= sizes[level]! * slotsAt(level); level++) {
      slot -= sizes[level]! * slotsAt(level)
      first += sizes[level]!
    }
    const place = order[first + Math.floor(slot / slotsAt(level))]!
    if (bernoulliTwoOverE(level, bits) && keeps(gap(place), level)) return place
  }
}

type Gap = (place: number) => number | bigint

/** How many places each level has, and all places level by level. */
function sorted(count: number, gap: Gap, { num, den }: Rational, lastLevel: number) {
  // The smallest whole gap of each level but the first.
  const least = Array.from({ length: lastLevel }, (_, k) => wholeNumber((BigInt(k + 1) * den + num - 1n) / num))
  const levels = new Uint8Array(count)
  const sizes: number[] = new Array(lastLevel + 1).fill(0)
  for (let place = 0; place < count; place++) {
    const behind = gap(place)
    let level = 0
    if (behind >= least[lastLevel - 1]!) level = lastLevel
    else while (behind >= least[level]!) level++
    levels[place] = level
    sizes[level]!++
  }
  const next = new Int32Array(lastLevel + 1)
  for (let level = 1; level <= lastLevel; level++) next[level] = next[level - 1]! + sizes[level - 1]!
  const order = new Int32Array(count)
  for (let place = 0; place < count; place++) order[next[levels[place]!]!++] = place
  return { sizes, order }
}

const wholeNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
