import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../linear-query.ts'

/**
 * A SELECT, understood: a few linear queries (`parts`) that must be answered, and what to compute from their answers.
 * All parts have the same groups. Everything here is public; nobody has asked anything yet.
 */
export interface Statement {
  readonly text: string
  /** The GROUP BY, one entry per axis of the parts' `by`; [] without one. */
  readonly axes: readonly Axis[]
  /** Distinct linear queries; every one has to be bought. */
  readonly parts: readonly LinearQuery[]
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
  | { readonly kind: 'value'; readonly name: string; readonly expression: Expression }

/** Arithmetic over the parts' answers, in the data's own units. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: Rational }
  | { readonly kind: 'part'; readonly part: number }
  | {
      readonly kind: 'sum' | 'difference' | 'product' | 'quotient'
      readonly left: Expression
      readonly right: Expression
    }
  /** √max(0, of). */
  | { readonly kind: 'root'; readonly of: Expression }
  /** `of`, known from the policy to lie in low … high (an average lies in its domain); null: no bound on that side. */
  | { readonly kind: 'clip'; readonly of: Expression; readonly low: Rational | null; readonly high: Rational | null }

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: '<' | '<=' | '=' | '<>' | '>=' | '>'
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
