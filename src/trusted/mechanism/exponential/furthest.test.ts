import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fits } from '../../../../test/statistical/goodness.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import { seal, sealTable } from '../../exact/seal.ts'
import { distance } from '../distance.ts'
import { noisyDistance } from '../score.ts'
import { type Candidates, selectFurthest, ToldModel } from './index.ts'

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

const many = fc.record({
  sizes: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
  seed: fc.nat(10 ** 6),
  large: fc.boolean(),
})

test('answers in one table, and a model that is told bit by bit, give the choice of the plain form', () => {
  let beyond = 0
  fc.assert(
    fc.property(many, ({ sizes, seed, large }) => {
      const { uniform } = seededBits(seed)
      const whole = () => Math.floor(uniform() * (large ? 2 ** 53 : 100))
      const starts = new Float64Array(sizes.length + 1)
      for (const [i, size] of sizes.entries()) starts[i + 1] = starts[i]! + size
      const values = Float64Array.from({ length: starts.at(-1)! }, whole)
      const model = new Float64Array(values.length)
      const list = sizes.map((_, i) => seal(values.slice(starts[i], starts[i + 1])))
      const table = sealTable(values, starts)
      const told = [new ToldModel(list, starts), new ToldModel(table, starts)]
      for (let round = 0; round < 4; round++) {
        const [first, last] = round === 0 ? [0, sizes.length - 1] : twoOf(sizes.length, uniform)
        for (let cell = starts[first]!; cell < starts[last + 1]!; cell++) model[cell] = whole()
        const changed = model.slice(starts[first], starts[last + 1])
        for (const one of told) one.tell([[first, last]], changed)
        const candidates = [twoOf(sizes.length, uniform)]
        const count = candidates[0]![1] - candidates[0]![0] + 1
        const scoring = {
          ...(uniform() < 0.5 && {
            weights: Float64Array.from({ length: count }, () => 1 + Math.floor(uniform() * 3)),
          }),
          ...(uniform() < 0.5 && { penalties: Float64Array.from({ length: count }, whole) }),
        }
        const asked = model.slice(starts[candidates[0]![0]], starts[candidates[0]![1] + 1])
        const rate = large ? rational(1, 2 ** 52) : rational(1, 50)
        const draw = () => seededBits(seed + round)
        const right = selectFurthest({ exact: list, candidates, model: asked, ...scoring }, rate, draw())
        expect(selectFurthest({ exact: table, candidates, model: asked, ...scoring }, rate, draw())).toBe(right)
        for (const one of told) expect(one.select(candidates, scoring, rate, draw())).toBe(right)
        if (large) beyond++
      }
    }),
  )
  expect(beyond).toBeGreaterThan(50)
})
const twoOf = (count: number, uniform: () => number): [number, number] => {
  const [x, y] = [Math.floor(uniform() * count), Math.floor(uniform() * count)]
  return [Math.min(x, y), Math.max(x, y)]
}

test('a told model of BigInts follows the enumerated law, and not one of another rate', () => {
  const { answers, model } = cases['cells of several sizes']!
  const told = new ToldModel(
    answers.map((values) => seal(bigints(values))),
    Float64Array.of(0, 2, 3, 6, 6),
  )
  expect(told.covers([[0, 3]])).toBe(false)
  told.tell([[0, 3]], doubles(model))
  expect(told.covers([[0, 3]])).toBe(true)
  const bits = seededBits(9)
  const drawn = Array.from({ length: 100_000 }, () => told.select([[0, 3]], {}, rational(num, den), bits))
  // One seed in 10^6 fails by chance.
  expect(fits(drawn, cdfOf(law(cases['cells of several sizes']!, num / den)))).toBe(true)
  expect(fits(drawn, cdfOf(law(cases['cells of several sizes']!, (1.3 * num) / den)))).toBe(false)
})
