import type { Ranges } from './ranges.ts'

/** A condition on a record in SQL's three-valued logic: at every cell it is true, false or unknown (null). */
export type Predicate =
  | { readonly kind: 'constant'; readonly value: boolean | null }
  /** Looks at one attribute (by its index): true on some codes, false on others, unknown on the rest. */
  | { readonly kind: 'leaf'; readonly attribute: number; readonly true: Ranges; readonly false: Ranges }
  /** Looks at several, by their indices: per cell, the last running fastest, 1 is true, 0 false, -1 unknown. */
  | { readonly kind: 'joint'; readonly attributes: readonly number[]; readonly truth: Int8Array }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  /** IS TRUE, IS FALSE, IS UNKNOWN: never unknown itself. */
  | { readonly kind: 'is'; readonly truth: boolean | null; readonly of: Predicate }

export const always: Predicate = { kind: 'constant', value: true }
export const and = (...of: readonly Predicate[]): Predicate => ({ kind: 'and', of })
export const or = (...of: readonly Predicate[]): Predicate => ({ kind: 'or', of })
export const not = (of: Predicate): Predicate => ({ kind: 'not', of })
export const is = (truth: boolean | null, of: Predicate): Predicate => ({ kind: 'is', truth, of })
