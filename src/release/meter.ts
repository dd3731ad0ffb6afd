import type { Rational } from '../numeric/index.ts'
import type { Grid, Integers, LinearQuery, Measurement, NoiseLaw, QueryList } from '../query/index.ts'

/** A query to buy, and the noise it is bought with. */
export interface Purchase {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/** What was bought, once all of it is recorded: at least this. */
export interface Bought {
  readonly measurements: readonly Measurement[]
}

/**
 * What a release sees of the meter: it asks, pays, and gets noisy answers. On whose behalf is settled by whoever hands
 * it over. What is opened reserves a whole ε or ρ at once; until it is closed all of that is spent, and nothing of it is in the
 * history.
 */
export interface Meter<Receipt extends Bought = Bought> {
  /** Buys these, all or none. */
  measure(purchases: readonly Purchase[]): Promise<Receipt>
  /** Opens answers whose noise is lowered step by step, along a grid of scales in steps of the queries. */
  openRun(request: RunRequest): Promise<Run<Receipt>>
  /** Opens queries that are answered again and again, each time with noise of its own. */
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
  /** Records where every answer came to rest. */
  close(): Promise<Receipt>
}
/** What a step down shows. The arrays are the run's own and hold until it is asked again. */
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
  /** Whether what is held allows these answers, all of them, beside all that was sold before. */
  allows(draws: readonly Draw[]): boolean
  /** Answers a query with noise of its own. */
  draw(draw: Draw): Integers
  /** What the public model of later choices answers to some of the queries (places, ascending), in whole steps. */
  tell(model: { readonly queries?: ArrayLike<number>; readonly answers: ArrayLike<number> }): void
  /** Chooses a candidate: the likelier the further its exact answers are from the model's. */
  select(selection: SelectionRequest): number
  /** Tells how far the exact answers to a query are from the model's, in steps and with noise. */
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

/** The noise of queries that are bought together, for a price that is settled and that they share equally. */
export type Noise = (queries: readonly LinearQuery[]) => readonly NoiseLaw[]
