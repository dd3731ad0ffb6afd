import type { LinearQuery, Measurement, NoiseLaw } from '../../query/index.ts'
import type { Law } from '../error-law/law.ts'
import type { Estimate, Estimated } from './estimate.ts'

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

export interface TableEstimates {
  /** One for each group. */
  readonly values: Float64Array
  /** For each group the place of its law in the list: an estimate whose error is like this group's. */
  readonly kinds: Int32Array
  readonly laws: readonly Estimated[]
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
  /**
   * The same from whole tables one by one, the better of full marginals and tables whose own cells add up to a group; quick
   * for many groups, as nothing else is combined. Undefined where they do not tell all groups.
   */
  fromTables(query: LinearQuery): TableEstimates | undefined
  /** The same history, to try measurements on: neither sees what the other appends. Costs far less than an estimate. */
  fork(): History
}
