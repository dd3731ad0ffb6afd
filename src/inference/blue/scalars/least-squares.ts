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

/** The shares of all measurements in a best estimate. `largest`: of the numbers that the variance is a difference of. */
export interface Shares {
  readonly basis: Float64Array
  readonly members: Float64Array
  readonly variance: number
  readonly largest: number
}

/** The best combination of scalar measurements, of which some are a basis and the others, members, combinations of it. */
export interface LeastSquares {
  addBasis(measured: Measured): void
  /** Returns those that are too near to others to be of use. */
  addMembers(members: readonly Member[]): readonly Member[]
  shares(question: Expressed): Shares
  fork(): LeastSquares
}
