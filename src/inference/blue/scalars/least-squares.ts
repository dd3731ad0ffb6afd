import type { Weights } from '../compile.ts'

/** A scalar measurement; numbers are in its steps. */
export interface Measured {
  readonly weights: Weights
  readonly variance: number
}

/** A query and how it is made of the basis where marginals know nothing. */
export interface Expressed {
  readonly weights: Weights
  readonly solution: Float64Array
}

/** A measurement that is a combination of the basis. */
export type Member = Measured & Expressed

/** The shares of all measurements in a best estimate. */
export interface Shares {
  readonly basis: Float64Array
  readonly members: Float64Array
  readonly variance: number
  /** The largest of the numbers that the variance is a difference of. */
  readonly largest: number
  /** By how much the variance may be above the least: rounding may have made shares second-best. */
  readonly excess: number
  /** For every query of the basis: by how much the shares may miss the solution. */
  readonly misses: Float64Array
  /** The sum of the standard deviations that marginals leave of whatever is combined. */
  readonly deviations: number
}

/** The best combination of scalar measurements, of which some are a basis and the others, members, combinations of it. */
export interface LeastSquares {
  addBasis(measured: Measured): void
  /** Returns those that are too near to others to be of use. */
  addMembers(members: readonly Member[]): readonly Member[]
  shares(question: Expressed): Shares
  fork(): LeastSquares
}
