import type { LinearQuery } from '../query/index.ts'
import type { Universe } from '../schema/index.ts'

/**
 * A table that is known only as a distribution over the cells of its universe, times a number of records. It is made
 * from public numbers and is public itself: what it is asked costs nothing, and no answer has an interval.
 */
export interface TableModel {
  readonly universe: Universe
  /** The number of records that it stands for; need not be whole. */
  readonly records: number
  /** Expected counts over these attributes (positions in the universe), the last one running fastest. */
  marginal(attributes: readonly number[]): Float64Array
  /** The expected answer to a query, one number per cell of the answer, in the query's steps. */
  answers(query: LinearQuery): Float64Array
  /** So many records, rounded unless said; `random` is uniform on [0, 1). */
  rows(count: number, random: () => number, sampling?: Sampling): Rows
  /** Plain data, from which the same model can be read back. */
  toJson(): ModelJson
}

/** Records whose numbers are the model's as nearly as whole numbers can be, or each drawn by itself. */
export type Sampling = 'rounded' | 'independent'

/** Records, column by column: one array of codes per attribute, in the universe's order. */
export type Rows = readonly Int32Array[]

/** `kind` says which of the models it is. */
export interface ModelJson {
  readonly kind: string
  readonly records: number
  readonly [member: string]: unknown
}
