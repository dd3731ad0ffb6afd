import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { errorLawByCharacteristic, type Term } from '../../inference/index.ts'
import { laplaceHalfWidth, laplacePmf, laplaceTail } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { tellsTooMuch } from './too-much.ts'

/** The best weighted mean of answers with these scales. */
function combined(scales: readonly number[]): Term[] {
  const precisions = scales.map((b) => 1 / (2 * b * b))
  const all = precisions.reduce((sum, p) => sum + p, 0)
  return scales.map((scale, i) => ({ law: { kind: 'laplace', scale }, coefficient: precisions[i]! / all, count: 1 }))
}
const guarded = (within: number, confidence: number) => ({ query: countAll, within, confidence }) as GuardedQuery

test('two answers that share ε may tell more than one for all of it: noise on steps is not spread by more noise', () => {
  const held = (terms: Term[]) => errorLawByCharacteristic(terms).between(-0.99, 0.99)
  expect(held(combined([1 / 2]))).toBeCloseTo(0.762, 3)
  expect(held(combined([0.55, 5.5]))).toBeCloseTo(0.827, 3)
  // A guard looks half a step beyond, so the one answer stands for the two.
  expect(tellsTooMuch(combined([1 / 2]), guarded(0.99, 0.8))).toBe(true)
})

test('whatever answers share ε, no interval is likelier than the one answer’s, half a step wider', () => {
  const { uniform } = seededBits(7)
  for (let i = 0; i < 200; i++) {
    const epsilon = 0.2 + 3 * uniform()
    const share = uniform()
    const scales = [1 / (share * epsilon), 1 / ((1 - share) * epsilon)]
    const within = 3 * uniform()
    const bound = 1 - laplaceTail(1 / epsilon, Math.floor(within + 0.5))
    // Any two answers, each as far off as it may be: the flat belief given both, and the likeliest interval of this width.
    const offsets = scales.map((b) => Math.round((uniform() - 0.5) * 2 * laplaceHalfWidth(b, 0.99)))
    const reach = Math.ceil(Math.max(...offsets.map(Math.abs)) + 40 / epsilon)
    const masses = Array.from({ length: 2 * reach + 1 }, (_, k) =>
      scales.reduce((p, b, j) => p * laplacePmf(b, k - reach - offsets[j]!), 1),
    )
    const total = masses.reduce((sum, p) => sum + p, 0)
    const points = Math.floor(2 * within) + 1
    const likeliest = Math.max(
      ...masses.map((_, k) => masses.slice(k, k + points).reduce((sum, p) => sum + p, 0) / total),
    )
    expect(likeliest).toBeLessThan(bound + 1e-9)
  }
})
