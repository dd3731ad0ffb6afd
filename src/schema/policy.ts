import type { Rational } from '../numeric/index.ts'
import type { Universe } from './universe.ts'

/** The owner's policy file, checked. It holds public knowledge only. */
export interface Policy {
  /** Absolute path of the file; relative paths inside it are already resolved against its folder. */
  readonly file: string
  readonly dataset: string
  readonly source: Source
  readonly privacy: Privacy
  readonly universe: Universe
  readonly guards: readonly Guard[]
  readonly ledger: LedgerPlace
  /** Lines that still carry a `# review` mark: `ask` refuses while there are any. */
  readonly reviewLines: readonly number[]
}

/** Where the table is. `sql` is a view that the owner wrote and vouches for. */
export type Source =
  | {
      readonly kind: 'duckdb'
      readonly path: string
      readonly table?: string
      readonly sql?: string
      /** How text files are written, where it is not UTF-8; they are converted on reading. */
      readonly encoding?: 'latin-1' | 'windows-1252'
    }
  | {
      readonly kind: 'postgres'
      /** `postgresql://user@host:port/database?sslmode=…`, or `env:NAME` of a variable that holds it. */
      readonly url: string
      /** A table, or `schema.table`. */
      readonly table?: string
      readonly sql?: string
      /** Seconds that one statement may take. */
      readonly timeout?: number
    }
  | {
      readonly kind: 'trino'
      /** `http(s)://user@host:port`, or `env:NAME` of a variable that holds it. */
      readonly url: string
      readonly catalog: string
      readonly schema: string
      readonly table?: string
      readonly sql?: string
      /** The snapshot of an Iceberg table that is read, whatever is written to it later; the latest where there is none. */
      readonly version?: string
      /** `env:NAME` of the variables that hold them. */
      readonly password?: string
      readonly token?: string
      /** Path of the certificates that vouch for the server. */
      readonly ca?: string
      /** Session properties. */
      readonly session?: { readonly [name: string]: string }
    }

export interface Privacy {
  readonly unit: Unit
  readonly neighbours: Neighbours
  readonly epsilon: Rational
  readonly delta: Rational
  /** `pure`: Laplace noise and ε alone, even where δ > 0. */
  readonly composition: 'pure' | 'zcdp'
  /** Caps on single analysts; undefined when anybody may ask. */
  readonly analysts?: ReadonlyMap<string, Rational>
}
/** Whom one protects: a row, or a person with at most so many rows. */
export type Unit =
  | { readonly kind: 'row' }
  | { readonly kind: 'column'; readonly column: string; readonly rows: number }
export type Neighbours = 'add-remove' | 'replace-one'

export interface Guard {
  readonly query: string
  readonly within: Rational
  readonly confidence: Rational
}

export type LedgerPlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** `url` is an address or `env:NAME`; each ledger has a schema of its own. */
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }
