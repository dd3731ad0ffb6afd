import { expect, test } from 'vitest'
import { seededBits } from '../seeded.ts'
import { audit } from './audit.ts'
import { prove } from './bound.ts'
import { chooseThreshold, holds } from './choose.ts'
import { uniforms } from './controls/float.ts'
import { likelihood, standardFeatures } from './feature.ts'
import { type Mechanism, type Output, pairsOf } from './mechanism.ts'

/** Says the truth about one bit with probability e^ε/(1 + e^ε): its ε is known. */
const randomizedResponse = (epsilon: number, claimed = epsilon): Mechanism => ({
  name: 'randomized response',
  kind: 'shipped',
  about: 'synthetic',
  claim: { epsilon: claimed, delta: 0 },
  pairs: pairsOf([['the bit', 0, 1]], (bit: number, bits) => [
    uniforms(bits)() < Math.exp(epsilon) / (1 + Math.exp(epsilon)) ? bit : 1 - bit,
  ]),
})
const run = (mechanism: Mechanism, samples: number, seed: number) =>
  audit(mechanism, { samples, seconds: 600, bits: seededBits(seed) })

test('a known ε is approached from below', async () => {
  for (const epsilon of [0.1, 1, 3]) {
    const bounds: number[] = []
    for (const samples of [2_000, 20_000, 400_000])
      bounds.push((await run(randomizedResponse(epsilon), samples, 1)).bound.epsilon)
    // The error rate is 10^-6 per audit.
    for (const bound of bounds) expect(bound).toBeLessThanOrEqual(epsilon)
    expect(bounds[2]).toBeGreaterThan(bounds[0]!)
    // 10^5 or more trials a side: five standard errors of each share's logarithm, the rarer one at most 1/21.
    expect(bounds[2]).toBeGreaterThan(epsilon - 0.1)
  }
})

test('a claim a tenth too low is seen, the true one is kept', async () => {
  const low = await run(randomizedResponse(1.1, 1), 400_000, 2)
  expect([low.verdict, low.expected]).toEqual(['violated', false])
  const right = await run(randomizedResponse(1), 400_000, 2)
  expect([right.verdict, right.expected]).toEqual(['kept', true])
})

// A mechanism that ignores its input: whatever the search dreams up from 5,000 numbers seen once, the fresh half does not confirm.
test('what is only remembered from the samples proves nothing', async () => {
  const noise: Mechanism = {
    name: 'noise',
    kind: 'shipped',
    about: 'synthetic',
    claim: { epsilon: 0, delta: 0 },
    pairs: pairsOf([['any', 0, 1]], (_: number, bits) => [bits.uint32(), bits.uint32() % 100_000, bits.uint32() % 3]),
  }
  for (let seed = 0; seed < 20; seed++) expect((await run(noise, 4_000, seed)).bound.epsilon).toBe(0)
})

test('the worse of several pairs is found', async () => {
  const [weak, strong] = [randomizedResponse(0.3), randomizedResponse(1.5)]
  const both = {
    ...strong,
    pairs: [
      { ...weak.pairs[0]!, name: 'weak' },
      { ...strong.pairs[0]!, name: 'strong' },
    ],
  }
  const { pair, bound } = await run(both, 100_000, 3)
  expect(pair).toBe('strong')
  expect(bound.epsilon).toBeGreaterThan(1.2)
})

test('with δ, what happens with probability δ is forgiven and nothing more', async () => {
  const leaky = (delta: number): Mechanism => ({
    ...randomizedResponse(1),
    claim: { epsilon: 1, delta: 0.01 },
    pairs: pairsOf([['the bit', 0, 1]], (bit: number, bits) => {
      const uniform = uniforms(bits)
      if (uniform() < delta) return [`it was ${bit}`]
      return [uniform() < Math.E / (1 + Math.E) ? bit : 1 - bit]
    }),
  })
  const kept = await run(leaky(0.01), 200_000, 4)
  expect(kept.verdict).toBe('kept')
  const { verdict, bound } = await run(leaky(0.05), 200_000, 4)
  expect(verdict).toBe('violated')
  expect(bound.delta).toBeGreaterThan(0.01)
  expect(bound.delta).toBeLessThanOrEqual(0.05)
})

test('--samples bounds the runs, also those of a mechanism that waits', async () => {
  let runs = 0
  const counting: Mechanism = {
    ...randomizedResponse(1),
    pairs: pairsOf([['the bit', 0, 1]], async (bit: number): Promise<Output> => {
      runs++
      return [bit]
    }),
  }
  const { samples } = await run(counting, 3_000, 5)
  expect(runs).toBe(samples)
  expect(samples).toBeLessThanOrEqual(3_000)
  expect(samples).toBeGreaterThan(2_900)
})

test('a clock that runs out ends the work early, and the bound still holds', async () => {
  let now = 0
  const slow: Mechanism = {
    ...randomizedResponse(1),
    pairs: randomizedResponse(1).pairs.map((pair) => ({
      ...pair,
      left: (bits) => {
        now += 10
        return pair.left(bits)
      },
    })),
  }
  const found = await audit(slow, { samples: 1e6, seconds: 100, bits: seededBits(6), clock: () => now })
  expect(now).toBeLessThan(100_000)
  expect(found.samples).toBeGreaterThan(10_000)
  expect(found.bound.epsilon).toBeLessThanOrEqual(1)
})

test('a proof subtracts δ, and knows when nothing is left', () => {
  const [likely, unlikely] = [
    { hits: 900, trials: 1000 },
    { hits: 100, trials: 1000 },
  ]
  const pure = prove(likely, unlikely, { epsilon: 1, delta: 0 }, 1e-6)
  expect(pure.epsilon).toBeLessThan(Math.log(9))
  expect(prove(likely, unlikely, { epsilon: 1, delta: 0.1 }, 1e-6).epsilon).toBeLessThan(pure.epsilon)
  expect(prove(likely, unlikely, { epsilon: 1, delta: 0.95 }, 1e-6)).toEqual({ epsilon: 0, delta: pure.delta })
  expect(prove(unlikely, likely, { epsilon: 1, delta: 0 }, 1e-6)).toEqual({ epsilon: 0, delta: 0 })
})

test('the threshold is the half-line that tells two laws apart, on either side and at either end', () => {
  const low = Float64Array.from({ length: 10_000 }, (_, i) => i)
  const high = low.map((v) => 2_000 + 0.8 * v)
  const found = chooseThreshold(low, high, 0)
  // Scores below 2,000 are impossible for `high`: the best event keeps all of them and hardly any other.
  expect(found).toMatchObject({ likely: 'left', tail: 'at most' })
  expect(found.at).toBeGreaterThan(1_800)
  expect(found.at).toBeLessThan(2_100)
  expect([0, 9_000].map((score) => holds(found, score))).toEqual([true, false])
  expect(chooseThreshold(high, low, 0)).toEqual({ ...found, likely: 'right' })
  const upsideDown = [low, high].map((scores) => scores.map((v) => -v)) as [Float64Array, Float64Array]
  expect(chooseThreshold(...upsideDown, 0)).toEqual({ ...found, tail: 'at least', at: -found.at })
})

test('a learned ratio orders keys as their law does, and is silent about others', () => {
  const draw = (counts: Record<string, number>) =>
    Object.entries(counts).flatMap(([key, n]) => Array.from({ length: n }, () => [key]))
  const score = likelihood('key', (o) => o[0]!).learn(draw({ a: 90, b: 10, c: 1 }), draw({ a: 30, b: 71 }))
  expect(score(['a'])).toBeCloseTo(Math.log(91 / 31), 10)
  expect(score(['b'])).toBeCloseTo(Math.log(11 / 72), 10)
  expect(score(['c'])).toBeCloseTo(Math.log(2), 10)
  expect(score(['d'])).toBe(0)
})

test('features suit scalars, vectors, large integers and names', () => {
  for (const output of [[3], [2n ** 60n], ['name'], [1, 2, 3], Float64Array.of(1, 2), ['name', 4n]])
    for (const feature of standardFeatures(output))
      expect(Number.isFinite(feature.learn([output], [output])(output)), feature.name).toBe(true)
})
