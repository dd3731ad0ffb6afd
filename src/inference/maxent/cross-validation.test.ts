import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { uniformShares } from '../fitted/prior.ts'
import { bestAlpha, tellingFolds } from './cross-validation.ts'
import { unitAlpha } from './noise.ts'
import { maxentProblem } from './problem.ts'

const u = universe([attribute({ kind: 'boolean', name: 'a', closed: true })])
const law = { kind: 'laplace', scale: rational(1) } as const
const problem = maxentProblem(u, 10, uniformShares(u), [{ query: marginal(['a']), law, values: Float64Array.of(4, 6) }])

/** The α that is chosen, and how many were tried, where these are the distances along the path of what is held out, and of what is fitted. */
async function chosen(
  heldOut: readonly number[],
  fitted: (i: number) => number[] = () => [],
  freedom: (i: number) => number = () => 0,
): Promise<{ weight: number; tried: number }> {
  let tried = 0
  const { alpha } = await bestAlpha(problem, async () => [
    { heldOut: [heldOut[tried]!], fitted: fitted(tried), freedom: freedom(tried++) },
  ])
  return { weight: alpha / unitAlpha(problem), tried }
}

test('what gets worse before it gets better is followed to where it is best', async () => {
  // As three tables of 44 cells were told.
  const losses = [23.5, 23.7, 24.2, 25.4, 26.8, 24.8, 15.8, 9.4, 7.9, 9.5, 8.8, 8.6]
  expect(await chosen(losses)).toEqual({ weight: 8, tried: 11 })
})

test('once weights are free, two that are no better end the search', async () => {
  expect(await chosen([11, 10, 9, 8, 7, 6, 7, 8, 9, 1, 1, 1])).toEqual({ weight: 1, tried: 9 })
})

test('of neighbouring α that cannot be told apart the middle is taken', async () => {
  // A thousand held-out answers; between the fifth and sixth α their distances differ by little, and not all in the same direction.
  const noise = Array.from({ length: 1000 }, (_, i) => Math.sin(i))
  const along = (means: readonly number[]) => {
    let tried = 0
    return bestAlpha(problem, async () => {
      const mean = means[tried] ?? 2
      const sign = tried++ === 5 ? 1 : -1
      return [{ heldOut: noise.map((x) => mean + 0.1 * sign * x), fitted: [], freedom: 0 }]
    })
  }
  // The difference has a deviation of 0.2·√½ for each, and of 0.0045 for their mean.
  const weightOf = async (means: readonly number[]) => (await along(means)).alpha / unitAlpha(problem)
  expect(await weightOf([1.5, 1.4, 1.3, 1.2, 1.003, 1, 1.1, 1.2])).toBeCloseTo(Math.SQRT1_2, 10)
  expect(await weightOf([1.5, 1.4, 1.3, 1.2, 1.006, 1, 1.1, 1.2])).toBe(1)
  expect(await weightOf([1.5, 1.4, 1.3, 1.2, 1.003, 1, 1.003, 1.2])).toBeCloseTo(1, 10)
})

test('where held-out answers cannot be told at any α, those that are fitted to are not drowned', async () => {
  const flat = [10, 9.5, 9, 8.5, 8, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7]
  expect((await chosen(flat)).weight).toBe(0.5)
  // One answer among ten is off by 40 deviations, and by less as weights grow; then all are within their noise.
  const drowned = (i: number) => [...new Array<number>(9).fill(0.8), Math.max(0.8, 56 - 8 * i)]
  expect((await chosen(flat, drowned)).weight).toBe(4)
  const within = () => new Array<number>(10).fill(0.8)
  expect((await chosen(flat, within)).weight).toBe(0.5)
})

test('a fit that follows more of the noise is taken only if it tells held-out answers better by more', async () => {
  // At each larger weight two more of ten answers are met exactly, and the others as before.
  const met = (i: number) => Math.max(0, Math.min(10, 2 * (i - 4)))
  const fitted = (i: number) => Array.from({ length: 10 }, (_, place) => (place < met(i) ? 0 : 0.9))
  const falling = [10, 9.5, 9, 8.5, 8, 7.9, 7.8, 7.7, 7.6, 7.5, 7.4, 7.3]
  expect((await chosen(falling, fitted)).weight).toBeGreaterThan(8)
  expect((await chosen(falling, fitted, met)).weight).toBe(0.5)
})

test('about a thousand answers are held out, where there are so many', () => {
  const heldOut = (count: number) => {
    const pairs = universe(['a', 'b'].map((name) => attribute({ kind: 'boolean', name, closed: true })))
    const answers = Array.from({ length: count / 4 }, () => ({
      query: marginal(['a', 'b']),
      law,
      values: Float64Array.of(1, 2, 3, 4),
    }))
    const folds = tellingFolds(maxentProblem(pairs, 10, uniformShares(pairs), answers), () => 0.5)
    return folds.map((isUsed) => isUsed.filter((used) => used === 0).length)
  }
  expect(heldOut(12_000)).toEqual([1200])
  expect(heldOut(2000)).toEqual([200, 200, 200, 200, 200])
  expect(heldOut(40)).toEqual(new Array(10).fill(4))
  expect(heldOut(4).reduce((a, b) => a + b, 0)).toBe(4)
})
