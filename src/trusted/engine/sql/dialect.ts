/** How a column's values are stored; `integer` fits 64 bits with its sign, `number` is every other kind of number. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'float' | 'boolean' | 'date' | 'time' | 'other'

/** A column of the source: an SQL expression for it, the database's name of its type, and what that is to us. */
export interface Column {
  readonly sql: string
  readonly type: string
  readonly kind: ColumnKind
  /** Whether a database counts its values as they are before it encodes them: it hashes a text faster than it looks it up. */
  readonly groupedFirst?: boolean
  /** The value as it is stored, where `sql` is its text and equal values may have two. */
  readonly identity?: string
  /** Whether its values have no text, as an array has none in some databases. */
  readonly unreadable?: boolean
}

/**
 * The words that differ from one database to another. Each takes SQL and gives SQL; none may fail on a value or drop a
 * record. Everything else about asking a database is standard SQL, made in this folder: CASE, CAST, coalesce, FILTER,
 * row_number(), GROUP BY, `DATE '…'`. A new dialect is this object and a `Database`.
 */
export interface Dialect {
  /** The value's text, NULL for NULL; whole floats are written as integers are, since 1 stored as 1.0 is still 1. */
  text(column: Column): string
  /** The value as a double, NULL for whatever is no number; NaN and infinities may remain. */
  number(column: Column): string
  /** The date of a native date or time (in UTC), or of a text written exactly as the format says; NULL otherwise. */
  date(column: Column, format: string): string
  /** A double, exactly. */
  real(value: number): string
  /** A double, with NULL in place of NaN. */
  withoutNaN(value: string): string
  /** Where a text stands in a list, from 0; NULL where it does not. */
  position(text: string, list: readonly string[]): string
  /** What stands at a place of a list of integers, from 0. */
  element(list: readonly number[], place: string): string
  /** Whole days from one date to another. */
  daysBetween(from: string, to: string): string
  /** A type for 0 … size-1, the smaller the better. */
  codeType(size: number): string
  /** 1 where a condition holds, 0 where it does not, NULL where it is NULL. */
  flag(condition: string): string
  /** The sum of 64-bit integers over those of a group's rows that the clause keeps: a double, or an integer where it is `wide`. */
  sum(value: string, filter: string, wide: boolean): string
  /** Something that sorts as the first 128 bits of the SHA-256 of a text in UTF-8. */
  hash(text: string): string
  /** Whether a text has a match of a regular expression. */
  matches(text: string, pattern: string): string
  /** An expression over a value that is computed once, where computing it again for every mention would be dear. */
  bind?(value: string, use: (named: string) => string): string
  /** Behind a subquery: what keeps a database from computing its columns anew wherever they are named. */
  readonly once?: string
  /** About how many different values there are in a group. */
  distinct(value: string): string
}
