import type { LinearQuery, Measurement, NoiseLaw } from '../../query/index.ts'
import type { Law } from '../posterior/law.ts'
import type { Estimate } from './estimate.ts'

export interface HistoryOptions {
  /** The number of records, where it is public. */
  readonly publicCount?: number
  /** Up to so many scalar answers are all combined; of more, those that tell most about the question. */
  readonly mostScalars?: number
  /**
   * Are all answers in one system, whatever the question? Then what does not fit is `leftOut`, and answers only the very
   * question that it was bought for. For those who must know whether anything was left out: guards.
   */
  readonly isWhole?: boolean
  /** The law of a recorded noise; undefined where there is none. What was recorded, unless given. */
  readonly law?: (noise: NoiseLaw) => Law | undefined
  /** Uniform numbers below 1, for the primes and points of proofs. */
  readonly random: () => number
}

/**
 * All answers so far, and the best linear unbiased estimate of any linear query from them. Nothing is computed before
 * an estimate is asked for; then only what has changed since the last one.
 */
export interface History {
  /** Adds a measurement. `replaces` names the one that it refines, which from then on does not count. */
  append(measurement: Measurement, options?: { readonly replaces?: string }): void
  /** The best estimate of a scalar query. */
  estimate(query: LinearQuery): Estimate
  /** One estimate per cell of a grouped query. */
  estimates(query: LinearQuery): Estimate[]
  /** The same history, to try measurements on: neither sees what the other appends. Costs far less than an estimate. */
  fork(): History
}
