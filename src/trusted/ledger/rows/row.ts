import type { Rational, Spans } from '../../../numeric/index.ts'
import type { Grid, Integers, LinearQuery, NoiseLaw, QueryList } from '../../../query/index.ts'
import type { Attribute, Guard, Privacy } from '../../../schema/index.ts'
import type { Held } from '../../accounting/index.ts'

/**
 * What can stand in a ledger: a closed set. Rows hold parameters (query, scale, law), not conclusions, so a better
 * accountant can read an old ledger again. A kind that a reader does not know is a refusal, never a zero cost.
 */
export type Row = Create | Reserve | Record | Refine | RunOpen | RunClose | Void | Epoch | Cap | Guards | Restore

/** The first row: what is promised, about which data. */
export interface Create {
  readonly kind: 'create'
  readonly format: 1
  readonly dataset: string
  readonly privacy: PrivacyTerms
  readonly attributes: readonly Attribute[]
  /** Keyed digest of the whole source. */
  readonly fingerprint: string
}
/** The promise: what may only change through a row of its own. Analysts' caps are the policy's alone. */
export type PrivacyTerms = Omit<Privacy, 'analysts'>

/** Pays for measurements, before any is made. */
export interface Reserve {
  readonly kind: 'reserve'
  readonly analyst: string | null
  /** The SQL that asked, if any. */
  readonly statement: string | null
  readonly purchases: readonly Purchase[]
}
export interface Purchase {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}
/** The noisy answers to a reservation or a refinement, in its order, in steps. */
interface Record {
  readonly kind: 'record'
  readonly reserve: number
  readonly values: readonly Integers[]
}
/** Pays for a less noisy answer to a measurement that has no other refinement. */
interface Refine {
  readonly kind: 'refine'
  readonly analyst: string | null
  readonly statement: string | null
  /** Id of the measurement. */
  readonly parent: string
  readonly law: NoiseLaw
}
/** Reserves ε or ρ for every cell, for a release that asks as it goes. */
export type RunOpen = Held & RunPlan
interface RunPlan {
  readonly kind: 'run-open'
  readonly analyst: string | null
  readonly statement: string | null
  readonly queries: QueryList
  /**
   * The scales (in steps) that each answer may come down to, its noise lowered along them; null: answers with noise of
   * their own, any number of them to each query, choices among the queries, and their distances from a model. Under ε
   * noise is Laplace's, under ρ Gaussian. A grid goes with ε alone.
   */
  readonly grid: Grid | null
  /** How its queries were written where not as they are now, so that what is read is exported as it stands in the chain. */
  readonly written?: 'one by one'
}
/** Where a run came to rest, or all that it sold, in order; these charges replace its reservation. */
interface RunClose {
  readonly kind: 'run-close'
  readonly open: number
  readonly purchases: readonly Sold[]
  /** One list for each: noisy answers, the query that was chosen, or a noisy distance. */
  readonly values: readonly Integers[]
}
/** An answer has no kind, as when nothing else was sold. */
export type Sold = (Purchase & { readonly kind?: undefined }) | Selection | Score
/**
 * One of the run's queries, chosen with probability ∝ exp(rate·score), where the score is the query's weight times the
 * distance of its answers from a public model, less a public penalty. Neither bears on what it costs.
 */
export interface Selection {
  readonly kind: 'selection'
  /** Places among the run's queries, ascending. */
  readonly candidates: Spans
  /** null: 1 for each. */
  readonly weights: readonly number[] | null
  readonly rate: Rational
}
/** The distance of one query's answers from a public model, with noise. */
export interface Score {
  readonly kind: 'score'
  /** Its place among the run's queries. */
  readonly query: number
  readonly law: NoiseLaw
}
/** A reservation whose record will not come; its charge stands. */
interface Void {
  readonly kind: 'void'
  readonly reserve: number
}
/** The data or the attributes changed: the epoch before is closed at its own worst cell, its measurements retire. */
interface Epoch {
  readonly kind: 'epoch'
  readonly attributes: readonly Attribute[]
  readonly fingerprint: string
}
/** The owner changed the cap. */
interface Cap {
  readonly kind: 'cap'
  readonly epsilon: Rational
  readonly delta: Rational
}
/** The policy's guards as they are kept from here on: all of them, so that one that is not there is kept no more. */
interface Guards {
  readonly kind: 'guards'
  readonly guards: readonly Guard[]
}
/**
 * The owner went on with an older copy of the ledger. What was released after the copy is not in it, so this is charged
 * for it, to every record; nothing from before can be recorded, closed or refined any more.
 */
export interface Restore {
  readonly kind: 'restore'
  /** The last row that is known to be lost. */
  readonly lost: { readonly seq: number; readonly hash: string }
  /** null: no number in this currency is known to cover what was lost. */
  readonly epsilon: Rational | null
  readonly rho: Rational | null
}
