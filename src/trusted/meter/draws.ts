import type { Rational } from '../../numeric/index.ts'
import type { Integers, QueryList } from '../../query/index.ts'
import type { Held } from '../accounting/index.ts'
import type { Head } from '../ledger/index.ts'
import type { Closing } from './run.ts'
import type { ModelAnswers, SelectionRequest } from './selection.ts'

/** What everything sold in the run together may cost every record: an ε or, with δ > 0, a ρ. */
export type DrawsRequest = Held & { readonly queries: QueryList }

/**
 * One answer to one of the queries: with Laplace noise of this scale if the run reserves ε, with Gaussian noise of this
 * variance if it reserves ρ; in steps.
 */
export type Draw = { readonly query: number } & (
  | { readonly scale: Rational; readonly variance?: undefined }
  | { readonly variance: Rational; readonly scale?: undefined }
)

/** The distance of the exact answers to one of the queries from those of a public model: Σ|answer - model|, with noise. */
export type ScoreRequest = Draw & { readonly model: ArrayLike<number> | readonly bigint[] }

/**
 * Queries that can be answered repeatedly, each time with independent noise, and chosen among, within an ε or ρ that is
 * reserved as a whole. The data are read once. If the run is never closed, the whole reservation is spent and nothing
 * enters the history.
 */
export interface Draws {
  readonly head: Head
  /** Whether the reservation allows all of these answers, in addition to everything sold before. */
  allows(draws: readonly Draw[]): boolean
  draw(draw: Draw): Integers
  /** Sets the answers of the public model to some queries, for later selections; its answers to other queries stay. */
  tell(model: ModelAnswers): void
  /** The index of one candidate among the queries, chosen by the exponential mechanism. */
  select(selection: SelectionRequest): number
  score(score: ScoreRequest): number | bigint
  /** Records everything that was sold, in order; these charges replace the reservation. */
  close(): Promise<Closing>
}
