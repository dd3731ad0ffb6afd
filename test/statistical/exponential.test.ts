import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/seeded.ts'
import { rational } from '../../src/numeric/index.ts'
import type { Integers } from '../../src/query/index.ts'
import { seal } from '../../src/trusted/exact/seal.ts'
import { select } from '../../src/trusted/mechanism/index.ts'
import { fits } from './goodness.ts'

/** Probabilities ∝ exp(epsilon·score/2), in doubles. */
function law(scores: readonly number[], epsilon: number): number[] {
  const best = Math.max(...scores)
  const weights = scores.map((score) => Math.exp((epsilon * (score - best)) / 2))
  const total = weights.reduce((a, b) => a + b)
  return weights.map((weight) => weight / total)
}

function cdfOf(probabilities: readonly number[]): (k: number) => number {
  const sums: number[] = []
  let sum = 0
  for (const p of probabilities) {
    sum += p
    sums.push(sum)
  }
  return (k) => (k < 0 ? 0 : k >= sums.length - 1 ? 1 : sums[k]!)
}

const cases: { name: string; scores: number[]; num: number; den: number; as: (s: number[]) => Integers }[] = [
  { name: 'ties and gaps', scores: [5, 5, 0, -3, 4, 9, 9, 2], num: 1, den: 2, as: (s) => Float64Array.from(s) },
  {
    name: 'a fraction of large terms',
    scores: [0, 7, 12, 3],
    num: 123_456_789,
    den: 987_654_321,
    as: (s) => Float64Array.from(s),
  },
  {
    name: 'many in a row',
    scores: Array.from({ length: 40 }, (_, i) => i),
    num: 1,
    den: 10,
    as: (s) => Float64Array.from(s),
  },
  {
    name: 'BigInts',
    scores: [5, 5, 0, -3, 4, 9, 9, 2],
    num: 1,
    den: 2,
    as: (s) => s.map((x) => BigInt(x) + 10n ** 20n),
  },
]

// Each true law fails one seed in 10^6; ε off by 30% must be seen.
for (const { name, scores, num, den, as } of cases)
  test(`selection over ${name}: accepts the true law, rejects an ε off by 30%`, () => {
    const bits = seededBits(51)
    const sealed = seal(as(scores))
    const drawn = Array.from({ length: 100_000 }, () => select(sealed, rational(num, den), bits))
    const epsilon = num / den
    expect(fits(drawn, cdfOf(law(scores, epsilon)))).toBe(true)
    expect(fits(drawn, cdfOf(law(scores, 1.3 * epsilon)))).toBe(false)
    expect(fits(drawn, cdfOf(law(scores, epsilon / 1.3)))).toBe(false)
  })

// The law itself: every way in which scores of three candidates move by at most one step.
test('moving every score by a step changes no probability by more than exp(ε)', () => {
  const moves = [-1, 0, 1]
  let worst = 0
  for (const a of moves)
    for (const b of moves)
      for (const c of moves) {
        const [here, there] = [law([3, 1, 0], 0.7), law([3 + a, 1 + b, c], 0.7)]
        for (let i = 0; i < 3; i++) worst = Math.max(worst, Math.abs(Math.log(here[i]! / there[i]!)))
      }
  expect(worst).toBeLessThan(0.7)
  expect(worst).toBeGreaterThan(0.35)
})
