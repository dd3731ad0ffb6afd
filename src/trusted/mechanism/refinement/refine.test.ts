import { expect, test, vi } from 'vitest'
import { conditionalPmf, jointPmf } from '../../../../test/statistical/refinement-law.ts'
import { laplacePmf, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { seal } from '../../exact/seal.ts'
import type { Bits } from '../../random/index.ts'
import { refine } from './refine.ts'

/*
 * The law of refine itself, enumerated: every geometric number that it draws becomes a fork over its values, cut where
 * a branch is unlikely. The samplers of these numbers have tests of their own.
 */
interface Fork extends Bits {
  choose(scale: Rational): number
}
vi.mock('../../random/index.ts', async (original) => ({
  ...(await original<typeof import('../../random/index.ts')>()),
  fastGeometric: (_near: number, scale: Rational, bits: Fork) => bits.choose(scale),
  geometricBig: (num: bigint, den: bigint, bits: Fork) => BigInt(bits.choose({ num, den })),
}))

class Open extends Error {}

function enumerate(sample: (bits: Bits) => number, least: number) {
  const mass = new Map<number, number>()
  let cut = 0
  const walk = (path: readonly number[], weight: number) => {
    let position = 0
    let ratio = 0
    const choose = (scale: Rational) => {
      if (position < path.length) return path[position++]!
      ratio = Math.exp(-1 / toNumber(scale))
      throw new Open()
    }
    try {
      const outcome = sample({ choose, uint32: () => expect.fail('drew bits of its own') } as Fork)
      mass.set(outcome, (mass.get(outcome) ?? 0) + weight)
    } catch (error) {
      if (!(error instanceof Open)) throw error
      let k = 0
      for (; weight * ratio ** k > least; k++) walk([...path, k], weight * ratio ** k * (1 - ratio))
      cut += weight * ratio ** k
    }
  }
  walk([], 1)
  return { at: (outcome: number) => mass.get(outcome) ?? 0, cut }
}

const scales: [Rational, Rational][] = [
  [rational(1), rational(1, 2)],
  [rational(3, 2), rational(3, 4)],
  [rational(2), rational(1, 3)],
]

for (const [from, to] of scales)
  for (const old of [0, 1, -3])
    test(`from scale ${toNumber(from)} to ${toNumber(to).toFixed(2)} at noise ${old}: the exact conditional law`, () => {
      const draw = (answer: Float64Array | bigint[]) => (bits: Bits) => {
        const released = Float64Array.of(100 + old)
        return Number(refine({ exact: seal(answer), released, from, to }, bits)[0]) - 100
      }
      for (const answer of [Float64Array.of(100), [100n]]) {
        const { at, cut } = enumerate(draw(answer), 3e-6)
        expect(cut).toBeLessThan(0.02)
        for (let fresh = -6; fresh <= 6; fresh++) {
          const truth = conditionalPmf(toNumber(from), toNumber(to), old, fresh)
          expect(at(fresh)).toBeLessThanOrEqual(truth + 1e-10)
          expect(at(fresh) + cut).toBeGreaterThanOrEqual(truth - 1e-10)
        }
      }
    })

test('the marginal law of the old noise is discrete Laplace: the twin adds up', () => {
  for (const [from, to] of scales.map((pair) => pair.map(toNumber) as [number, number]))
    for (const old of [0, 1, -5]) {
      let sum = 0
      for (let fresh = -300; fresh <= 300; fresh++) sum += jointPmf(from, to, old, fresh)
      expect(sum).toBeCloseTo(laplacePmf(from, old), 12)
    }
})

// Neighbouring answers x and x+1: for every pair of outputs the joint probabilities differ by a factor of at most
// exp(1/to), and somewhere by that. Outputs up to 40 steps away; beyond, the ratio stays constant.
test('both answers together lose what the second alone loses, computed over all outputs', () => {
  for (const [from, to] of [...scales, [rational(10), rational(5)], [rational(100), rational(99)]] as const) {
    const [b, fine] = [toNumber(from), toNumber(to)]
    let worst = 0
    for (let y = -40; y <= 40; y++)
      for (let z = -40; z <= 40; z++) {
        const loss = Math.log(jointPmf(b, fine, y, z) / jointPmf(b, fine, y - 1, z - 1))
        worst = Math.max(worst, Math.abs(loss))
      }
    // Rounding of logarithms of quotients of numbers down to e^-200.
    expect(worst).toBeLessThan(1 / fine + 1e-11)
    expect(worst).toBeGreaterThan(1 / fine - 1e-11)
  }
})

test('only a finer scale refines', () => {
  const exact = seal(Float64Array.of(1))
  const released = Float64Array.of(3)
  for (const to of [rational(0), rational(-1), rational(2), rational(3)])
    expect(() => refine({ exact, released, from: rational(2), to })).toThrow(RangeError)
  expect(() => refine({ exact, released: new Float64Array(2), from: rational(2), to: rational(1) })).toThrow(RangeError)
})
