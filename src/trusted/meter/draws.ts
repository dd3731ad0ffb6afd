import type { Rational } from '../../numeric/index.ts'
import type { Integers, QueryList } from '../../query/index.ts'
import type { Held } from '../accounting/index.ts'
import type { Head } from '../ledger/index.ts'
import type { Closing } from './run.ts'
import type { ModelAnswers, SelectionRequest } from './selection.ts'

/** What all that is sold together may cost every record: an ε or, with δ > 0, a ρ. */
export type DrawsRequest = Held & { readonly queries: QueryList }

/**
 * One answer to one of the queries: with Laplace noise of a scale where ε is held, with Gaussian noise of a variance where
 * ρ is; in steps.
 */
export type Draw = { readonly query: number } & (
  | { readonly scale: Rational; readonly variance?: undefined }
  | { readonly variance: Rational; readonly scale?: undefined }
)

/** How far the exact answers to one of the queries are from a public model's: Σ|answer - model|, with noise. */
export type ScoreRequest = Draw & { readonly model: ArrayLike<number> | readonly bigint[] }

/**
 * Queries that are answered again and again, each time with noise of its own, and chosen among, within an ε or ρ that is
 * reserved as a whole: the data are read once. What was not closed is spent, and nothing of it enters the history.
 */
export interface Draws {
  readonly head: Head
  /** Whether what is reserved allows these answers, all of them, beside all that was sold before. */
  allows(draws: readonly Draw[]): boolean
  draw(draw: Draw): Integers
  /** What the public model of later selections answers to some queries; what it was told of others stands. */
  tell(model: ModelAnswers): void
  /** The place of one candidate among the queries, by the exponential mechanism. */
  select(selection: SelectionRequest): number
  score(score: ScoreRequest): number | bigint
  /** Records all that was sold, in order; these charges replace the reservation. */
  close(): Promise<Closing>
}
