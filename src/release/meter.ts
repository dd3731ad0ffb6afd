import type { Rational } from '../numeric/index.ts'
import type { Grid, Integers, LinearQuery, Measurement, NoiseLaw, QueryList } from '../query/index.ts'

/** A query to buy, and the noise it is bought with. */
export interface Purchase {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/** The minimum that is known of a purchase, once all of it is recorded. */
export interface Bought {
  readonly measurements: readonly Measurement[]
}

/**
 * What a release sees of the meter: it asks, pays, and gets noisy answers. The caller has already fixed the analyst. A
 * run reserves a whole ε or ρ at once; until it is closed all of that is spent, and nothing of it is in the history.
 */
export interface Meter<Receipt extends Bought = Bought> {
  /** Buys these, all or none. */
  measure(purchases: readonly Purchase[]): Promise<Receipt>
  /** Opens answers whose noise is lowered step by step, along a grid of scales in steps of the queries. */
  openRun(request: RunRequest): Promise<Run<Receipt>>
  /** Opens queries that can be answered repeatedly, each time with independent noise. */
  openDraws(request: DrawsRequest): Promise<Draws<Receipt>>
}

export interface RunRequest {
  readonly queries: readonly LinearQuery[]
  readonly grid: Grid
  readonly epsilon: Rational
}
export interface Run<Receipt extends Bought = Bought> {
  /** The answers to a query at the scale it has reached: a copy. */
  values(query: number): Integers
  /** Where on the grid a query is: 0 when opened. */
  level(query: number): number
  /** Whether the reserved ε allows a query to come down to a level. */
  allows(query: number, level: number): boolean
  /** Lowers a query's noise to a level of the grid or, with 'first-change', to the first one at which a cell changes. */
  lower(query: number, level: number, stop?: 'first-change'): Revealed
  /** Records the final scale of every answer. */
  close(): Promise<Receipt>
}
/** What a step down reveals. The arrays belong to the run and are valid until the next step. */
export interface Revealed {
  /** The level reached. */
  readonly level: number
  /** So many cells changed on the way: the first of `cells`, whose answers now are the first of `values`. */
  readonly count: number
  readonly cells: Int32Array
  readonly values: Integers
}

/** What is opened holds an ε or, with δ > 0, a ρ. */
export type Held =
  | { readonly epsilon: Rational; readonly rho?: undefined }
  | { readonly rho: Rational; readonly epsilon?: undefined }
export type DrawsRequest = Held & { readonly queries: QueryList }
export interface Draws<Receipt extends Bought = Bought> {
  /** Whether the reservation allows all of these answers, in addition to everything sold before. */
  allows(draws: readonly Draw[]): boolean
  /** Answers a query with independent noise. */
  draw(draw: Draw): Integers
  /** Sets the public model's answers to some of the queries (indices, ascending), in whole steps, for later choices. */
  tell(model: { readonly queries?: ArrayLike<number>; readonly answers: ArrayLike<number> }): void
  /** Chooses a candidate, the more likely the further its exact answers are from the model's. */
  select(selection: SelectionRequest): number
  /** Returns the distance of the exact answers to a query from the model's, in steps and with noise. */
  score(score: ScoreRequest): number | bigint
  /** Records all that was sold, in order. */
  close(): Promise<Receipt>
}
/** Under ε Laplace noise of a scale, under ρ Gaussian noise of a variance; in steps. */
export type Draw = { readonly query: number } & (
  | { readonly scale: Rational; readonly variance?: undefined }
  | { readonly variance: Rational; readonly scale?: undefined }
)
interface SelectionRequest {
  /** Places among the queries, ascending. */
  readonly candidates?: ArrayLike<number>
  /** The model's answers to the candidates, one after the other, in whole steps; those that were told unless given. */
  readonly model?: ArrayLike<number> | readonly bigint[]
  /** The score is weight · Σ|answer - model| - penalty, in whole numbers. */
  readonly weights?: ArrayLike<number>
  readonly penalties?: ArrayLike<number>
  readonly epsilon: Rational
}
type ScoreRequest = Draw & { readonly model: ArrayLike<number> | readonly bigint[] }

/** The noise of queries that are bought together, at a fixed price that they share equally. */
export type Noise = (queries: readonly LinearQuery[]) => readonly NoiseLaw[]
