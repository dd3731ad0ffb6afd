import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../linear-query.ts'
import type { Operator } from './condition/operator.ts'

/**
 * A SELECT, understood: a few linear queries (`parts`) that must be answered, and what to compute from their answers.
 * All parts have the same groups. Everything here is public; nobody has asked anything yet.
 */
export interface Statement {
  readonly text: string
  /** The keys of the GROUP BY; [] without one. Unless there are `rows`, one per axis of the parts' `by`. */
  readonly axes: readonly Axis[]
  /** Where rows are not the parts' groups (keys of several attributes, ROLLUP): what each adds up. */
  readonly rows?: readonly ResultRow[]
  /** Distinct linear queries; every one has to be bought. */
  readonly parts: readonly LinearQuery[]
  /** Values with a share of the records at or below them; found from counts of ranges, step by step. */
  readonly quantiles?: readonly Quantile[]
  /** What the answers' intervals leave out, in words. */
  readonly notes?: readonly string[]
  /** The SELECT list, in order. */
  readonly columns: readonly Column[]
  /** HAVING, ORDER BY, LIMIT: applied to the noisy result, free. */
  readonly having?: Condition
  readonly orderBy: readonly Order[]
  readonly limit?: number
  readonly offset?: number
}

/**
 * Of the records that `records` counts, in the order of an attribute, the value that a share of them does not pass. All
 * of them have a code from … to of it: NULL is no value.
 */
export interface Quantile {
  readonly attribute: string
  /** Above 0 and below 1, from the least value up. */
  readonly share: Rational
  /** Continuous: between two records' values where the share falls between them. Discrete: always a record's value. */
  readonly kind: 'continuous' | 'discrete'
  /** Where the records were sorted from the greatest value down: of two values that a discrete one may be, the greater. */
  readonly upper: boolean
  readonly records: LinearQuery
  readonly from: number
  readonly to: number
}

/** A row of the result that is made of several groups of the parts, the last axis of which runs fastest. */
export interface ResultRow {
  /** One per axis. */
  readonly keys: readonly Key[]
  /** Of a total: the axes that it takes all of, whose keys are NULL. */
  readonly all?: readonly number[]
  readonly groups: readonly number[]
}

export interface Axis {
  readonly name: string
  readonly attribute: string
  /** The key of each group: what SQL would print; null is NULL. */
  readonly labels: readonly Key[]
  /** Sorted by their place, not by their texts: bins. */
  readonly inOrder?: true
}
export type Key = string | number | boolean | null

export type Column =
  | { readonly kind: 'key'; readonly name: string; readonly axis: number }
  | {
      readonly kind: 'value'
      readonly name: string
      readonly expression: Expression
      /** Digits after the point that the column is rounded to, its interval outwards. */
      readonly decimals?: number
    }

/** Arithmetic over the parts' answers, in the data's own units. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: Rational }
  | { readonly kind: 'part'; readonly part: number }
  | { readonly kind: 'quantile'; readonly quantile: number }
  | {
      readonly kind: 'sum' | 'difference' | 'product' | 'quotient'
      readonly left: Expression
      readonly right: Expression
    }
  | WindowSum
  | WindowRank
  /** √max(0, of). */
  | { readonly kind: 'root'; readonly of: Expression }
  /** `of`, known from the policy to lie in low … high (an average lies in its domain); null: no bound on that side. */
  | { readonly kind: 'clip'; readonly of: Expression; readonly low: Rational | null; readonly high: Rational | null }

/** For every row of the result the rows that a window function looks at. */
export type Frames = readonly (readonly number[])[]

/** A part added up over other rows of the result; NULL where there are none. */
export interface WindowSum {
  readonly kind: 'window-sum'
  readonly part: number
  readonly frames: Frames
  /** Divided by the number of those rows. */
  readonly isMean?: true
  /** Whether every row is among its own. */
  readonly includesRow?: true
}

/** The place of a row among those of its frame. */
export interface WindowRank {
  readonly kind: 'window-rank'
  /** Rows that are equal share a rank, with a gap after them or, if dense, without; or are told apart by their order. */
  readonly ties: 'rank' | 'dense' | 'row'
  readonly by: readonly Order[]
  readonly frames: Frames
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Operator
      readonly left: Operand
      readonly right: Operand
    }
  | { readonly kind: 'is-null'; readonly of: Operand }
/** An aggregate, a group's key, or a literal key to compare one with. */
export type Operand =
  | Expression
  | { readonly kind: 'key'; readonly axis: number }
  | { readonly kind: 'literal'; readonly value: Key }

export interface Order {
  readonly by: Operand
  readonly descending: boolean
  readonly nullsFirst: boolean
}
