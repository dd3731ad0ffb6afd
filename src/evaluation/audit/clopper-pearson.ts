import { bisect } from '../../numeric/index.ts'
import { incompleteBeta } from './beta.ts'

/** Successes out of so many trials. */
export interface Count {
  readonly hits: number
  readonly trials: number
}

/** Makes good for the error of the incomplete beta function, which is a tenth of this. */
const margin = 1 - 1e-6

/**
 * The exact (Clopper-Pearson) lower confidence bound of a probability: the true one is below it with probability at most
 * `alpha`, whatever it is. Rounded down.
 */
export function lowerBound({ hits, trials }: Count, alpha: number): number {
  if (hits === 0) return 0
  const unlikely = (p: number) => incompleteBeta(p, hits, trials - hits + 1) <= alpha * margin
  return lastOf(unlikely)
}

/** The upper one: the true probability is above it with probability at most `alpha`. Rounded up. */
export function upperBound({ hits, trials }: Count, alpha: number): number {
  if (hits === trials) return 1
  // Few hits are unlikely where misses are common; in terms of the probability of a miss this is the lower bound.
  const unlikely = (miss: number) => incompleteBeta(miss, trials - hits, hits + 1) <= alpha * margin
  return 1 - lastOf(unlikely)
}

/** The last double, or nearly so, in [0, 1] that is too unlikely. */
const lastOf = (unlikely: (p: number) => boolean): number => bisect(0, 1, 60, (p) => !unlikely(p))[0]
