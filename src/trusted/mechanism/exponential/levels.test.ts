import { expect, test } from 'vitest'
import { fits } from '../../../../test/statistical/goodness.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { exponentialCoin } from './coin.ts'
import { pickByLevel } from './levels.ts'

type Gaps = readonly (number | bigint)[]
type Way = (gaps: Gaps, rate: ReturnType<typeof rational>, bits: ReturnType<typeof seededBits>) => number

const byLevel: Way = (gaps, rate, bits) => pickByLevel(gaps.length, (i) => gaps[i]!, rate, bits)
/** What is rare otherwise: most of the candidates on the last level. */
const byFewLevels: Way = (gaps, rate, bits) => pickByLevel(gaps.length, (i) => gaps[i]!, rate, bits, 1)
/** The obvious way: any candidate, kept with its weight. */
const slowly: Way = (gaps, rate, bits) => {
  for (;;) {
    const place = Math.floor(bits.uniform() * gaps.length)
    if (exponentialCoin(rate, bits)(gaps[place]!)) return place
  }
}

function cdfOf(gaps: Gaps, rate: number): (k: number) => number {
  const weights = gaps.map((gap) => Math.exp(-rate * Number(gap)))
  const total = weights.reduce((a, b) => a + b)
  return (k) => weights.slice(0, Math.max(0, k + 1)).reduce((a, b) => a + b, 0) / total
}

const few = [5, 1, 2, 3, 0, 8, 13, 14, 20, 2]
const cases: [string, Gaps][] = [
  ['doubles', few],
  ['BigInts', few.map(BigInt)],
]
const [num, den] = [2, 11]

// Each true law fails one seed in 10^6; a rate off by 30% must be seen.
for (const [name, way] of Object.entries({ byLevel, byFewLevels, slowly }))
  test.each(cases)(`${name}, gaps in %s: accepts the true law, rejects a rate off by 30%`, (_, gaps) => {
    const bits = seededBits(7)
    const drawn = Array.from({ length: 10_000 }, () => way(gaps, rational(num, den), bits))
    const rate = num / den
    expect(fits(drawn, cdfOf(gaps, rate))).toBe(true)
    expect(fits(drawn, cdfOf(gaps, 1.3 * rate))).toBe(false)
    expect(fits(drawn, cdfOf(gaps, rate / 1.3))).toBe(false)
  })
