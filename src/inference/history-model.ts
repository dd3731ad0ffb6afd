import type { LinearQuery, Measurement } from '../query/index.ts'
import type { Universe } from '../schema/index.ts'

/** The models that are fitted to the history alone. */
export type HistoryModelKind = 'kernel' | 'maxent' | 'mixture'

/** What a model is fitted to: public numbers of one epoch, each of which counts once. */
export interface PastAnswers {
  readonly universe: Universe
  /** Noisy answers, Laplace or Gaussian: counts, sums, groups, trees and marginals. None of them has been refined since. */
  readonly measurements: readonly Measurement[]
  /** The number of records without noise, where it is public. */
  readonly records?: number
}

/** In the data's own units. */
export interface ModelEstimate {
  readonly estimate: number
  /** Root mean squared error that the kernel model expects: right as far as its assumptions are, and no promise. */
  readonly error?: number
}

/**
 * Says something about every linear query, also where the history does not determine it. What it says is an estimate without an
 * interval: how far it is off depends on how far its assumptions are.
 */
export interface HistoryModel {
  readonly kind: HistoryModelKind
  /** What was assumed and chosen, by name. */
  readonly parameters: { readonly [name: string]: number | string }
  /** What the reader must know: answers that were left out, a prior that had to be guessed. */
  readonly warnings: readonly string[]
  /** One per group of the query. */
  estimates(query: LinearQuery): readonly ModelEstimate[]
  /** Mean products of the errors of two queries with the same groups, one per group; needed for the error of a ratio. */
  covariances?(first: LinearQuery, second: LinearQuery): Float64Array
}
