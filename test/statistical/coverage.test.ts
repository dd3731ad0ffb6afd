import { describe, expect, test } from 'vitest'
import { kinds, type Trial, trial } from '../../src/evaluation/experiments/coverage/trial.ts'
import { seededBits } from '../../src/evaluation/index.ts'

/** Pr(from ≤ X ≤ to) for X of so many independent trials with this probability. */
function binomial(n: number, p: number, from: number, to: number): number {
  let [term, sum] = [Math.exp(n * Math.log1p(-p)), 0]
  for (let k = 0; k <= to; k++) {
    if (k >= from) sum += term
    term *= ((n - k) / (k + 1)) * (p / (1 - p))
  }
  return sum
}
const missesOf = (trials: readonly Trial[], stretch: number) =>
  trials.filter(({ error, within }) => Math.abs(error) > stretch * within * (1 + 1e-12)).length
/** Misses so many or more, were each interval to miss with 5%: below 10^-6 the intervals are too narrow. */
const tooNarrow = (trials: readonly Trial[], stretch = 1) =>
  binomial(trials.length, 0.05, missesOf(trials, stretch), trials.length) < 1e-6
/** So few, were each to hold as often as its law lets it. The mean of unequal chances spreads no less (Hoeffding). */
const tooWide = (trials: readonly Trial[], stretch = 1) =>
  binomial(trials.length, 1 - attained(trials), 0, missesOf(trials, stretch)) < 1e-6
const attained = (trials: readonly Trial[]) => trials.reduce((sum, t) => sum + t.attained, 0) / trials.length

// Both verdicts are from exact binomial tails: seven assertions with a false-alarm rate of 10^-6 each at most.
describe('95% intervals hold the exact number', () => {
  const counts = { free: 100, fresh: 300, combined: 40, refined: 40, relative: 100, 'below the floor': 100 }
  const all: Trial[] = []
  test.each(kinds)('when the answer is %s, and would not, were they a fourth as wide', async (kind) => {
    const { uniform } = seededBits(kinds.indexOf(kind))
    const trials: Trial[] = []
    while (trials.length < counts[kind]) trials.push(await trial(kind, uniform))
    // A relative answer that its own noise has chosen may hold less often; not all of them together.
    if (kind === 'relative') expect(attained(trials)).toBeGreaterThan(0.95)
    else expect(trials.every((t) => t.attained >= 0.95)).toBe(true)
    expect(tooNarrow(trials)).toBe(false)
    expect(tooNarrow(trials, 1 / 4)).toBe(true)
    all.push(...trials)
  })
  test('and no more often than their laws let them, as they would, were they three times as wide', () => {
    expect(all).toHaveLength(680)
    expect(tooNarrow(all, 1 / 2)).toBe(true)
    // Steps of the noise and the blur add little to 95%; relative answers are made for 98.3%.
    expect(attained(all.slice(0, 480))).toBeLessThan(0.96)
    expect(tooWide(all)).toBe(false)
    expect(tooWide(all, 3)).toBe(true)
  })
})
