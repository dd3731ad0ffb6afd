import type { Rational } from '../numeric/index.ts'
import type { LinearQuery } from './linear-query.ts'

/** How an answer was blurred; scales are in steps of the query. `none`: the answer is public and exact. */
export type NoiseLaw =
  | { readonly kind: 'laplace'; readonly scale: Rational }
  | { readonly kind: 'gaussian'; readonly variance: Rational }
  | { readonly kind: 'none' }

/** Integers: doubles where all are below 2^53, else BigInts. */
export type Integers = Float64Array | readonly bigint[]

/** A noisy answer that was paid for and released; public. */
export interface Measurement {
  /** Unique in its ledger: "<number of the reservation>.<position in it>". */
  readonly id: string
  readonly query: LinearQuery
  readonly law: NoiseLaw
  /** One noisy integer per cell of the answer, in steps. */
  readonly values: Integers
}
