import type { LinearQuery, QueryList } from '../query/index.ts'
import type { TableModel } from './table-model.ts'

/** A noisy answer that a model is to agree with. */
export interface NoisyAnswer {
  readonly query: LinearQuery
  /** One number per cell of the answer, in steps. */
  readonly values: ArrayLike<number>
  /** Of the noise in every cell, in squared steps; 0 where the answer is exact. */
  readonly variance: number
}

/** Many queries and a model's answers to them, one after the other. */
export interface AnswerSheet {
  readonly queries: QueryList
  /** The attributes that a query looks at: positions in the universe, ascending. In `into`, where that is given. */
  attributesOf(place: number, into?: number[]): number[]
  /** 1 for full marginals whose axes are in the universe's order. */
  readonly isMarginal: Uint8Array
  /** The places of the queries that look at each attribute, ascending. */
  readonly placesOf: readonly Int32Array[]
  /** Where the answers to each query begin, and at last where all of them end. */
  readonly starts: Float64Array
  /** In steps. */
  readonly values: Float64Array
}

/** What a fit may have changed, by positions of attributes. Answers that depend on none of them are as they were. */
export interface ModelChanges {
  /** Answers that depend on several of these, and what there is room for beside any of them. */
  readonly together: Iterable<number>
  /** Of these also answers that depend on one alone: those of the others are as they were, up to a small part of the noise. */
  readonly alone: Iterable<number>
}

/**
 * A model that MWEM improves round by round. It begins as the uniform distribution over the universe. How it fits, and whether
 * what it hands out is its last state or an average, is settled where it is made.
 */
export interface FittedModel extends TableModel {
  /**
   * Whether it has room for an answer that depends on these attributes, beside all that it fits now. A fit changes that only where
   * it changes one of them.
   */
  canHold(attributes: readonly number[]): boolean
  /** Makes room for an answer, which the next fit will have among its own; false where there is none. */
  hold(answer: NoisyAnswer): boolean
  /**
   * Changes until it agrees with all of these as well as their noise allows. They are all answers so far, in order:
   * those of the last call and new ones. Says what may have changed.
   */
  fit(answers: readonly NoisyAnswer[]): ModelChanges
  /** Writes its answers to these queries of the sheet; many at once may be cheaper than one by one. */
  fill(sheet: AnswerSheet, places: ArrayLike<number>): void
  /** What is handed out in the end. */
  result(): TableModel
}
