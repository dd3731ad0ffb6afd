import { expect, test, vi } from 'vitest'
import { bernoulliExp, bernoulliExpBig } from './bernoulli.ts'
import type { Bits } from './bits.ts'
import { discreteLaplace } from './discrete-laplace.ts'
import { geometricBig, geometricSmall } from './geometric.ts'

/*
 * Every decision of a sampler, enumerated: a uniform choice among n becomes a fork of n branches, so the tree of
 * choices, cut where a branch is unlikely, gives an exact lower bound on the probability of each outcome; the mass cut
 * off closes the gap. uniform.test.ts shows that the choices themselves are uniform.
 */
interface Fork extends Bits {
  choose(n: number): number
}
vi.mock('./uniform.ts', () => ({
  uniformBelow: (n: number, bits: Fork) => bits.choose(n),
  uniformBelowBig: (n: bigint, bits: Fork) => BigInt(bits.choose(Number(n))),
}))

class Unlikely extends Error {}

function enumerate<T>(sample: (bits: Bits) => T, least: number) {
  const mass = new Map<string, number>()
  let cut = 0
  const walk = (path: readonly number[], weight: number) => {
    if (weight < least) {
      cut += weight
      return
    }
    let position = 0
    let ways = 0
    const choose = (n: number) => {
      if (n === 1) return 0
      if (position < path.length) return path[position++]!
      ways = n
      throw new Unlikely()
    }
    try {
      const outcome = String(sample({ choose, uint32: () => choose(2) } as Fork))
      mass.set(outcome, (mass.get(outcome) ?? 0) + weight)
    } catch (error) {
      if (!(error instanceof Unlikely)) throw error
      for (let i = 0; i < ways; i++) walk([...path, i], weight / ways)
    }
  }
  walk([], 1)
  return { at: (outcome: unknown) => mass.get(String(outcome)) ?? 0, cut }
}

/** Far above the rounding of sums of at most 10^6 doubles below 1. */
const rounding = 1e-9

function expectBetween({ at, cut }: ReturnType<typeof enumerate>, outcome: unknown, truth: number) {
  expect(at(outcome)).toBeLessThanOrEqual(truth + rounding)
  expect(at(outcome) + cut).toBeGreaterThanOrEqual(truth - rounding)
}

for (const [num, den] of [
  [0, 1],
  [1, 1],
  [1, 2],
  [2, 3],
  [3, 7],
  [5, 2],
] as const)
  test(`a coin of exp(-${num}/${den})`, () => {
    for (const coin of [
      (bits: Bits) => bernoulliExp(num, den, bits),
      (bits: Bits) => bernoulliExpBig(BigInt(num), BigInt(den), bits),
    ]) {
      const tree = enumerate(coin, 1e-6)
      expectBetween(tree, true, Math.exp(-num / den))
      expect(tree.cut).toBeLessThan(0.001)
    }
  })

for (const [t, s] of [
  [1, 1],
  [2, 1],
  [3, 2],
  [1, 2],
] as const)
  test(`geometric and discrete Laplace numbers of scale ${t}/${s}`, () => {
    const a = Math.exp(-s / t)
    for (const tree of [
      enumerate((bits) => geometricSmall(t, s, bits), 1e-5),
      enumerate((bits) => geometricBig(BigInt(t), BigInt(s), bits), 1e-5),
    ]) {
      for (let k = 0; k < 4; k++) expectBetween(tree, k, a ** k * (1 - a))
      expect(tree.cut).toBeLessThan(0.12)
    }
    const laplace = enumerate((bits) => discreteLaplace({ num: BigInt(t), den: BigInt(s) }, bits), 1e-5)
    for (let k = -3; k <= 3; k++) expectBetween(laplace, k, (a ** Math.abs(k) * (1 - a)) / (1 + a))
    expect(laplace.cut).toBeLessThan(0.3)
  })
