import type { LinearQuery, Measurement, NoiseLaw } from '../../query/index.ts'
import type { Law } from '../error-law/law.ts'
import type { Estimate, Estimated } from './estimate.ts'

export interface HistoryOptions {
  /** The number of records, where it is public. */
  readonly publicCount?: number
  /** Up to this many scalar answers are all combined; of more, those that say most about the question. */
  readonly mostScalars?: number
  /**
   * Are all answers in one system, whatever the question? Then answers that do not fit are `leftOut`, and used only for
   * the exact question they were bought for. For guards, which must know whether anything was left out.
   */
  readonly isWhole?: boolean
  /** The distribution of a recorded noise; undefined if there is none. Default: as recorded. */
  readonly law?: (noise: NoiseLaw) => Law | undefined
  /** Uniform numbers below 1, for the primes and points of proofs. */
  readonly random: () => number
}

export interface TableEstimates {
  /** One for each group. */
  readonly values: Float64Array
  /** For each group, the index of an estimate whose error has the same distribution. */
  readonly kinds: Int32Array
  readonly laws: readonly Estimated[]
}

/**
 * All answers so far, and the best linear unbiased estimate of any linear query from them. Nothing is computed before
 * an estimate is requested; then only what has changed since the last one.
 */
export interface History {
  /** Adds a measurement. `replaces` names the one that it refines, which is no longer used. */
  append(measurement: Measurement, options?: { readonly replaces?: string }): void
  /** The best estimate of a scalar query. */
  estimate(query: LinearQuery): Estimate
  /** One estimate per cell of a grouped query. */
  estimates(query: LinearQuery): Estimate[]
  /**
   * The same from whole tables one by one: the better of full marginals and tables whose own cells add up to a group.
   * Fast for many groups, since nothing else is combined. Undefined if they do not determine all groups.
   */
  fromTables(query: LinearQuery): TableEstimates | undefined
  /** A copy of the history, to try measurements on: neither sees what the other appends. Costs far less than an estimate. */
  fork(): History
}
