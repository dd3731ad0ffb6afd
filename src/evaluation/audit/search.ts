import type { Bits } from '../../trusted/random/index.ts'
import { type Candidate, chooseThreshold } from './choose.ts'
import { type Clock, collect } from './collect.ts'
import { standardFeatures } from './feature.ts'
import type { Mechanism, Pair, Score } from './mechanism.ts'

/** The pair of inputs and the event that look most damaging. */
export interface Suspicion {
  readonly pair: Pair
  readonly feature: string
  readonly score: Score
  readonly threshold: Candidate
  /** Scores that cut the samples into parts of about equal size, ascending; for the histogram of the privacy loss. */
  readonly cuts: Float64Array
}

interface SearchLimits {
  /** Runs per input and step, of which there are two: learning the scores, choosing the threshold. */
  readonly count: number
  readonly milliseconds: number
  readonly bits: Bits
  readonly clock: Clock
}

/**
 * Looks for the pair and the event. Scores are learned on one part of the samples and thresholds chosen on another, so that a
 * score that only remembers its samples is not taken for a discovery.
 */
export async function search(mechanism: Mechanism, limits: SearchLimits): Promise<{ best: Suspicion; runs: number }> {
  const { count, milliseconds, bits, clock } = limits
  const sides = mechanism.pairs.flatMap(({ left, right }) => [left, right])
  const start = clock()
  const learned = await collect(sides, { count, until: start + milliseconds / 2, bits, clock })
  const chosen = await collect(sides, { count, until: start + milliseconds, bits, clock })
  const features = [...(mechanism.features ?? []), ...standardFeatures(learned[0]![0]!)]
  let best: Suspicion | undefined
  for (const [i, pair] of mechanism.pairs.entries()) {
    for (const feature of features) {
      const score = feature.learn(learned[2 * i]!, learned[2 * i + 1]!)
      const [left, right] = [Float64Array.from(chosen[2 * i]!, score), Float64Array.from(chosen[2 * i + 1]!, score)]
      const threshold = chooseThreshold(left, right, mechanism.claim.delta)
      if (best && threshold.promise <= best.threshold.promise) continue
      best = { pair, feature: feature.name, score, threshold, cuts: quantiles(left, right) }
    }
  }
  const runs = [...learned, ...chosen].reduce((sum, outputs) => sum + outputs.length, 0)
  return { best: best!, runs }
}

/** Parts of the histogram. */
const parts = 48

function quantiles(left: Float64Array, right: Float64Array): Float64Array {
  const all = new Float64Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  all.sort()
  const cuts = Array.from({ length: parts - 1 }, (_, i) => all[Math.floor(((i + 1) * all.length) / parts)]!)
  return Float64Array.from(new Set(cuts))
}
