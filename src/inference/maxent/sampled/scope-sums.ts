import type { Universe } from '../../../schema/index.ts'
import type { Scope } from '../scope.ts'
import { type ScopeRows, scopeRows } from './runs.ts'

type Four<T> = readonly [T, T, T, T]

/** Four scopes that are gone through together, or fewer and some that are always 0. */
interface Quartet {
  readonly scopes: readonly Scope[]
  readonly rows: readonly ScopeRows[]
  /** By scope the cell of every chain. */
  readonly cells: Four<Int32Array>
  /** By scope a number for every cell. */
  readonly tables: Four<Float64Array>
}

/**
 * Sums over the chains of all features that are spread out over few cells, and over these features of every chain. Four scopes are gone
 * through at a time: each alone would wait for its own last sum, and for the chains' numbers.
 */
export class ScopeSums {
  readonly #quartets: readonly Quartet[]
  readonly #sizes: readonly number[]

  constructor(scopes: readonly Scope[], { attributes }: Universe, chains: number) {
    this.#sizes = attributes.map(({ size }) => size)
    const firsts = scopes.flatMap((_, i) => (i % 4 === 0 ? i : []))
    const numbersOf = <T>(make: (place: number) => T): Four<T> => [make(0), make(1), make(2), make(3)]
    this.#quartets = firsts.map((first) => ({
      scopes: scopes.slice(first, first + 4),
      rows: scopes.slice(first, first + 4).map(scopeRows),
      cells: numbersOf(() => new Int32Array(chains)),
      tables: numbersOf((i) => new Float64Array(scopes[first + i]?.cells ?? 1)),
    }))
  }

  /** Takes over where the chains are: `width` codes for each. */
  moveTo(codes: Int32Array, width: number): void {
    for (const { scopes, cells } of this.#quartets)
      for (const [i, { attributes }] of scopes.entries()) this.#place(cells[i]!, attributes, codes, width)
  }

  #place(cells: Int32Array, attributes: readonly number[], codes: Int32Array, width: number): void {
    const sizes = attributes.map((a) => this.#sizes[a]!)
    for (let r = 0, at = 0; r < cells.length; r++, at += width) {
      let cell = codes[at + attributes[0]!]!
      for (let i = 1; i < sizes.length; i++) cell = cell * sizes[i]! + codes[at + attributes[i]!]!
      cells[r] = cell
    }
  }

  /** Writes Σ weight·feature over the chains. */
  means(weights: Float64Array, into: Float64Array): void {
    for (const { rows, cells, tables } of this.#quartets) {
      const [a, b, c, d] = cells
      const [s, t, u, v] = tables
      for (const table of tables) table.fill(0)
      for (let r = 0; r < weights.length; r++) {
        const weight = weights[r]!
        s[a[r]!]! += weight
        t[b[r]!]! += weight
        u[c[r]!]! += weight
        v[d[r]!]! += weight
      }
      for (const [i, each] of rows.entries()) each.means(tables[i]!, into)
    }
  }

  /** Adds Σ w·feature to every chain's score. */
  addScores(w: Float64Array, scores: Float64Array): void {
    for (const { rows, cells, tables } of this.#quartets) {
      const [a, b, c, d] = cells
      const [s, t, u, v] = tables
      for (let i = rows.length; i < 4; i++) tables[i]!.fill(0)
      for (const [i, each] of rows.entries()) each.potential(w, tables[i]!)
      for (let r = 0; r < scores.length; r++) scores[r]! += s[a[r]!]! + t[b[r]!]! + (u[c[r]!]! + v[d[r]!]!)
    }
  }
}
