import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fits } from '../../../../test/statistical/goodness.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import { seal } from '../../exact/seal.ts'
import { distance } from '../distance.ts'
import { noisyDistance } from '../score.ts'
import { type Candidates, selectFurthest } from './index.ts'

interface Case {
  readonly answers: readonly (readonly number[])[]
  readonly model: readonly number[]
  readonly weights?: readonly number[]
  readonly penalties?: readonly number[]
}
const candidates = (
  { answers, model, weights, penalties }: Case,
  as: (v: readonly number[]) => Integers,
): Candidates => ({
  exact: answers.map((values) => seal(as(values))),
  candidates: [[0, answers.length - 1]],
  model: as(model),
  ...(weights && { weights: Float64Array.from(weights) }),
  ...(penalties && { penalties: Float64Array.from(penalties) }),
})
const doubles = (values: readonly number[]) => Float64Array.from(values)
const bigints = (values: readonly number[]) => values.map(BigInt)

/** The obvious way: every score by its definition, then every probability. */
function law({ answers, model, weights, penalties }: Case, rate: number): number[] {
  let at = 0
  const scores = answers.map((values, c) => {
    const far = values.reduce((sum, value) => sum + Math.abs(value - model[at++]!), 0)
    return (weights?.[c] ?? 1) * far - (penalties?.[c] ?? 0)
  })
  const best = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(rate * (score - best)))
  const total = powers.reduce((a, b) => a + b)
  return powers.map((power) => power / total)
}
const cdfOf = (probabilities: readonly number[]) => (k: number) =>
  k < 0 ? 0 : k >= probabilities.length - 1 ? 1 : probabilities.slice(0, k + 1).reduce((a, b) => a + b)

const cases: { [name: string]: Case } = {
  'one cell each': { answers: [[5], [9], [1], [7]], model: [6, 6, 6, 6] },
  'cells of several sizes': { answers: [[5, 1], [9], [1, 4, 4], []], model: [3, 3, 6, 0, 5, 9] },
  'weights and penalties': {
    answers: [[5, 1], [9], [2]],
    model: [3, 3, 6, 0],
    weights: [1, 3, 2],
    penalties: [-2, 4, 0],
  },
}
const [num, den] = [3, 20]

// Each true law fails one seed in 10^6; a rate off by 30% must be seen.
for (const [name, one] of Object.entries(cases))
  test.each([
    ['doubles', doubles],
    ['BigInts', bigints],
  ])(`${name}, in %s: accepts the enumerated law, rejects a rate off by 30%%`, (_, as) => {
    const bits = seededBits(8)
    const sealed = candidates(one, as)
    const drawn = Array.from({ length: 100_000 }, () => selectFurthest(sealed, rational(num, den), bits))
    expect(fits(drawn, cdfOf(law(one, num / den)))).toBe(true)
    expect(fits(drawn, cdfOf(law(one, (1.3 * num) / den)))).toBe(false)
    expect(fits(drawn, cdfOf(law(one, num / den / 1.3)))).toBe(false)
  })

describe('distances', () => {
  const whole = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger())
  test('are exact, also where doubles no longer hold them', () => {
    let large = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, whole), { maxLength: 6 }), fc.nat(3), (cells, before) => {
        const model = [...new Array<number>(before).fill(1), ...cells.map(([, m]) => m)]
        const exact = cells.reduce((sum, [a, m]) => {
          const apart = BigInt(a) - BigInt(m)
          return sum + (apart < 0n ? -apart : apart)
        }, 0n)
        const found = distance(doubles(cells.map(([a]) => a)), doubles(model), before)
        expect(BigInt(found)).toBe(exact)
        if (typeof found === 'bigint') large++
        expect(BigInt(distance(bigints(cells.map(([a]) => a)), bigints(model), before))).toBe(exact)
      }),
    )
    expect(large).toBeGreaterThan(0)
  })
  test('beyond 2^53 choose as they should', () => {
    const far = 2 ** 53 - 1
    const chosen = (weights: number[]) =>
      selectFurthest(candidates({ answers: [[0, far], [1]], model: [far, 0, 0], weights }, doubles), rational(1))
    expect(chosen([1, 1])).toBe(0)
    const behind = candidates({ answers: [[far], [7]], model: [0, 0], weights: [1, far] }, doubles)
    expect(selectFurthest(behind, rational(1))).toBe(1)
  })
})

// Noise of 20,000 scores against its law; one false alarm in 10^6 a check.
test.each([
  ['laplace', { kind: 'laplace', scale: rational(7) }, (k: number, by: number) => Math.exp(-Math.abs(k) / (7 * by))],
  [
    'gaussian',
    { kind: 'gaussian', variance: rational(50) },
    (k: number, by: number) => Math.exp(-(k * k) / (100 * by)),
  ],
] as const)('a distance is told with %s noise', (_, noise, mass) => {
  const bits = seededBits(3)
  const [exact, model] = [seal(doubles([3, 8, 1])), doubles([10, 0, 1])]
  const told = Array.from({ length: 20_000 }, () => Number(noisyDistance(exact, model, noise, bits)[0]) - 15)
  const cdf = (by: number) => {
    const sums: number[] = []
    let sum = 0
    for (let k = -300; k <= 300; k++) {
      sum += mass(k, by)
      sums.push(sum)
    }
    return (k: number) => (k < -300 ? 0 : k >= 300 ? 1 : sums[k + 300]! / sum)
  }
  expect(fits(told, cdf(1))).toBe(true)
  expect(fits(told, cdf(1.3))).toBe(false)
  expect(fits(told, cdf(1 / 1.3))).toBe(false)
})
