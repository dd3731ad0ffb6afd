import type { Column, Dialect } from './dialect.ts'

/** What a source looks like without reading it. Looks that are equal, field by field, are of the same data. */
export interface Look {
  /** A keyed digest of the source's metadata. */
  readonly quick: string
  /** When the source last changed, by the clock that stamps it, in milliseconds; undefined where nothing tells. */
  readonly changedAt?: number
}

/** A source in some database. It opens nothing by itself: every session belongs to one look. */
export interface Database<L extends Look = Look> {
  readonly dialect: Dialect
  look(key: Uint8Array): Promise<L>
  open(look: L): Promise<Session>
  /** A keyed digest of the content; of what this session reads, where a session holds on to what it once saw. */
  digest(look: L, key: Uint8Array, session: Session): Promise<string>
  /** Stops a look that is under way, and all others. */
  cancel?(): void
  /** For the owner, in words, where it depends on the look: how a change of the data is noticed, what is not, and whether answers can be refined. */
  changes?(look: L): string
  /** The tables that a source could be, where it names none: for its owner. */
  tables(look: L): Promise<readonly string[]>
  /** What is wrong with each of the text files that the source is in, if it is. */
  reports(look: L): Promise<readonly FileReport[]>
}

/** A connection that reads one source and can do nothing else. One statement at a time. */
export interface Session {
  /** The relation of all records, and its columns by name. */
  readonly records: string
  readonly columns: ReadonlyMap<string, Column>
  /** The relation of the records in the files, below an owner's view. */
  readonly files: string
  /** Whether every scan is dear, since text must be parsed or an owner's view computed. */
  readonly isDear: boolean
  /** Whether records would have to come over a network: then they are counted where they are, and only counts come. */
  readonly isRemote: boolean
  /**
   * Whether a scan is cheap beside a GROUP BY, since columns are stored apart and read side by side, as Iceberg's are. What another
   * connector of Trino's reads may be rows of a database far away.
   */
  readonly isColumnar?: boolean
  /** Whether a WITH that a statement reads several times is computed once. */
  readonly sharesWith?: boolean
  /** Runs a statement: `visit(at)` reads the columns of each row of the result. Fractions and counts are doubles. */
  rows(sql: string, visit: (at: (column: number) => unknown) => void): Promise<void>
  /**
   * Runs a statement whose result has whole numbers below 2^31 alone, and visits it piece by piece as it comes. `all`: a relation
   * with as many rows, which is cheaper to count, where there is one.
   */
  chunks(sql: string, visit: (chunk: Chunk) => void, all?: string): Promise<void>
  /** Keeps a result under a name until it is replaced or the session ends; gives the relation that stands for it. */
  keep(name: string, sql: string): Promise<string>
  drop(name: string): Promise<void>
  /** Whether it is time for a new session: this one ends by itself, once nobody asks it anything. Never, where it lacks this. */
  isDue?(): boolean
  /** Stops a statement that is running, which then fails; where a database lacks it, closing waits for its end. */
  cancel?(): void
  close(): Promise<void>
}

/** Some rows of a result. It holds until the visit is over. */
export interface Chunk {
  readonly rows: number
  /** Fills `target` with a column's values from this row on. */
  copy(column: number, from: number, target: Uint8Array | Int32Array): void
}

/** What is wrong with one text file. For its owner: line numbers and counts come from the data. */
export interface FileReport {
  readonly path: string
  readonly columns: readonly string[]
  /** Names that stand more than once in the header: such columns cannot be used. */
  readonly duplicates: readonly string[]
  readonly wellFormed: boolean
  /** Without the header. */
  readonly records: number
  /** Records with another number of fields than the header has. */
  readonly ragged: number
  readonly firstRagged?: number
  /** Line of the first quote that is not closed, closed in the middle of a field, or behind spaces, which DuckDB drops. */
  readonly badQuote?: number
  /** Line of the first bytes that are not UTF-8, and what they may be instead. */
  readonly notUtf8?: { readonly line: number; readonly suspected: string }
  /** Line of the first record that is too long to read. */
  readonly tooLong?: number
  /** Line of the first CR alone that ends a line in a file of LF or CRLF, or the other way round. */
  readonly mixedEnds?: number
}
