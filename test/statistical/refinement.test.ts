import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/seeded.ts'
import { type Rational, rational, toNumber } from '../../src/numeric/index.ts'
import type { Integers } from '../../src/query/index.ts'
import { seal } from '../../src/trusted/exact/seal.ts'
import { laplace, type NoisePaths, openPaths, refine } from '../../src/trusted/mechanism/index.ts'
import { fits, laplaceCdf } from './goodness.ts'
import { jointPmf } from './refinement-law.ts'

const draws = 100_000
const answer = 1000
const exact = seal(new Float64Array(draws).fill(answer))
const noiseOf = (values: Integers) => Array.from<number | bigint, number>(values, (value) => Number(value) - answer)

/**
 * Two noises as one integer, each cut to -reach … reach; and the distribution function of their joint law in that
 * order.
 */
const reach = 6
const side = 2 * reach + 1
const clip = (noise: number) => Math.max(-reach, Math.min(reach, noise)) + reach
const pairs = (old: readonly number[], fresh: readonly number[]) => old.map((n, i) => clip(n) * side + clip(fresh[i]!))

function pairCdf(pmf: (old: number, fresh: number) => number): (k: number) => number {
  const mass = new Float64Array(side * side)
  for (let old = -80; old <= 80; old++)
    for (let fresh = -80; fresh <= 80; fresh++) mass[clip(old) * side + clip(fresh)]! += pmf(old, fresh)
  for (let i = 1; i < mass.length; i++) mass[i]! += mass[i - 1]!
  return (k) => (k < 0 ? 0 : mass[Math.min(k, mass.length - 1)]!)
}

const conditional = (from: Rational, to: Rational): [number[], number[]] => {
  const bits = seededBits(31)
  const released = laplace(exact, from, bits)
  return [noiseOf(released), noiseOf(refine({ exact, released, from, to }, bits))]
}
const onePath = (...given: Parameters<typeof openPaths>): NoisePaths => openPaths(...given)[0]!
const path = (from: Rational, to: Rational): [number[], number[]] => {
  const between = rational(from.num * to.den + to.num * from.den, 2n * from.den * to.den)
  const paths = onePath({ exact: [exact], grid: [to, between, from] }, seededBits(32))
  const old = paths.values()
  paths.lower(0)
  return [noiseOf(old), noiseOf(paths.values())]
}

// Each true law fails one seed in 10^6; a wrong one must be seen.
for (const [from, to] of [
  [rational(2), rational(1)],
  [rational(5, 2), rational(7, 3)],
] as const)
  for (const form of [conditional, path])
    test(`${form.name} form, scale ${toNumber(from)} to ${toNumber(to).toFixed(2)}: the joint law of both answers`, () => {
      const [b, fine] = [toNumber(from), toNumber(to)]
      const [old, fresh] = form(from, to)
      expect(fits(fresh, laplaceCdf(fine))).toBe(true)
      expect(fits(fresh, laplaceCdf(1.3 * fine))).toBe(false)
      const both = pairs(old, fresh)
      expect(
        fits(
          both,
          pairCdf((n, k) => jointPmf(b, fine, n, k)),
        ),
      ).toBe(true)
      expect(
        fits(
          both,
          pairCdf((n, k) => jointPmf(1.3 * b, fine, n, k)),
        ),
      ).toBe(false)
      // Two independent answers have the same marginal laws and another joint one.
      const alone = (scale: number, k: number) => laplaceCdf(scale)(k) - laplaceCdf(scale)(k - 1)
      expect(
        fits(
          both,
          pairCdf((n, k) => alone(b, n) * alone(fine, k)),
        ),
      ).toBe(false)
    })

test('paths: discrete Laplace at every level of a long grid', () => {
  const grid = Array.from({ length: 1000 }, (_, i) => rational(3 * i + 2, 3))
  const paths = onePath({ exact: [exact], grid }, seededBits(33))
  for (const level of [999, 998, 640, 200, 31, 7, 1, 0]) {
    paths.lower(level)
    const noise = noiseOf(paths.values())
    const scale = toNumber(grid[level]!)
    expect(fits(noise, laplaceCdf(scale))).toBe(true)
    expect(fits(noise, laplaceCdf(1.3 * scale))).toBe(false)
    expect(fits(noise, laplaceCdf(scale / 1.3))).toBe(false)
  }
})

// The number of changes over a grid is Σ_j (1 - p_j)(1 - Pr(V_j = 0)), a sum of independent coins: its variance is
// below its mean. 4.89 sd: one false alarm in 10^6.
test('paths change as often as the law says', () => {
  const scales = Array.from({ length: 300 }, (_, i) => i + 1)
  const paths = onePath({ exact: [exact], grid: scales.map((s) => rational(s)) }, seededBits(34))
  let changes = 0
  while (paths.level > 0) changes += paths.lower(paths.level - 1).count
  let expected = 0
  for (let i = 1; i < scales.length; i++) {
    const stays = (Math.sinh(1 / (2 * scales[i]!)) / Math.sinh(1 / (2 * scales[i - 1]!))) ** 2
    expected += (1 - stays) * (1 - Math.tanh(1 / (2 * scales[i]!)))
  }
  expect(Math.abs(changes / draws - expected)).toBeLessThan(4.89 * Math.sqrt(expected / draws))
})

test('refinement at large scales and beyond doubles', () => {
  for (const [from, to, count] of [
    [rational(10 ** 6), rational(10 ** 5), 100_000],
    [rational(10n ** 20n), rational(10n ** 19n), 20_000],
  ] as const) {
    const bits = seededBits(35)
    const answers = seal(new Float64Array(count))
    const released = laplace(answers, from, bits)
    const fresh = refine({ exact: answers, released, from, to }, bits)
    expect(fits(fresh, laplaceCdf(toNumber(to)))).toBe(true)
    expect(fits(fresh, laplaceCdf(1.3 * toNumber(to)))).toBe(false)
  }
})
