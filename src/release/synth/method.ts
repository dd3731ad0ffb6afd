import type { TableModel } from '../../model/index.ts'
import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery, Measurement } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Bought, Meter, Purchase } from '../meter.ts'

/** One way to make a model of the whole table at a price, and everything that is specific to it. */
export interface SynthMethod<Request extends SynthRequest = SynthRequest> {
  /** What it would do and with how much noise, from public numbers alone. Refuses what cannot work. */
  plan(request: Request, terms: SynthTerms): SynthPlan
  /** Refuses as `plan` does, then buys, step by step, and fits. What was revealed is recorded, even if it is interrupted. */
  make<Receipt extends Bought>(request: Request, context: SynthContext<Receipt>): Promise<Synthesis<Receipt>>
}

/** What it may cost every record: an ε or, with δ > 0, a ρ. */
export type SynthBudget =
  | { readonly epsilon: Rational; readonly rho?: undefined }
  | { readonly rho: Rational; readonly epsilon?: undefined }

export interface SynthRequest {
  /** For everything, the number of records included where that is bought. */
  readonly budget: SynthBudget
  /** The number of records: public, already known, or bought with this share of the budget. */
  readonly records:
    | { readonly kind: 'known'; readonly count: number }
    | {
        readonly kind: 'bought'
        readonly share: Rational
        /** For a plan: about how many there are, if somebody says so. */
        readonly about?: number
      }
  /** Noisy answers that are in the history: they enter the fit at no cost. */
  readonly history: readonly Measurement[]
}

/** The table's universe, and what a query costs in it: all of it public. */
export interface SynthTerms {
  readonly universe: Universe
  /**
   * The noise at which a query by itself costs 1 of the budget's currency, in steps: Laplace's scale under ε, the
   * Gaussian variance under ρ. The policy's relation and unit are in it.
   */
  readonly unitNoise: (query: LinearQuery) => Rational
  /** By how much one protected unit moves the distance of a query's answers from a model's, in steps. */
  readonly distanceSensitivity: (query: LinearQuery) => bigint
}

export interface SynthContext<Receipt extends Bought = Bought> extends SynthTerms {
  readonly meter: Meter<Receipt>
  /** Uniform on [0, 1), for fitting and for rows: it decides nothing about privacy. */
  readonly random: () => number
  /** By public values alone. */
  readonly progress?: (step: SynthProgress) => void
  /** When aborted, the method stops at its next step, closes what is open, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

export interface SynthProgress {
  /** The share of the work that is done, from 0 to 1. */
  readonly share: number
  /** What is being done: "round 3 of 12: age × sex", "fit 2 of 8". */
  readonly doing: string
}

export interface SynthPlan {
  /** What would be bought, in order, with the noise of each (a standard deviation, in steps) if that is fixed beforehand. */
  readonly steps: readonly SynthStep[]
  /** Answers that it buys in any case: the guards are asked about these before anything is paid for. */
  readonly certain?: readonly Purchase[]
}

/** One purchase. */
export interface SynthStep {
  /** "number of records", "one-way marginals", "round 3". */
  readonly name: string
  /** Of the budget. */
  readonly share: number
  /** The number of answers, choices or scores. */
  readonly count: number
  /** Standard deviation of the noise in a cell, in steps; a range where it differs. */
  readonly deviation?: readonly [least: number, most: number]
}

interface Synthesis<Receipt extends Bought = Bought> {
  readonly model: TableModel
  /** What was really done. */
  readonly steps: readonly SynthStep[]
  /** What was bought, in order. */
  readonly receipts: readonly Receipt[]
  /** What the fit chose, how near it is to the best one, and what the reader must know of it: where it says so. */
  readonly fit?: {
    readonly parameters: { readonly [name: string]: number | string }
    readonly warnings: readonly string[]
  }
  /** Repeats it on a known table, and measures the error there. */
  readonly rehearsal?: () => Promise<PairVariations>
}

/** How far the tables of two attributes are off, by their positions in the universe: total variations. */
export type PairVariations = (attributes: readonly [number, number]) => number | undefined
