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
  return bisect(unlikely)[0]
}

/** The upper one: the true probability is above it with probability at most `alpha`. Rounded up. */
export function upperBound({ hits, trials }: Count, alpha: number): number {
  if (hits === trials) return 1
  // Few hits are unlikely where misses are common; in terms of the probability of a miss this is the lower bound.
  const unlikely = (miss: number) => incompleteBeta(miss, trials - hits, hits + 1) <= alpha * margin
  return 1 - bisect(unlikely)[0]
}

/** Neighbouring doubles (or nearly so) in [0, 1] between which a monotone condition stops to hold. */
function bisect(holds: (p: number) => boolean): [number, number] {
  let [low, high] = [0, 1]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return [low, high]
}
