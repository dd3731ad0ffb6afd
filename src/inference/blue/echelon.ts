import { subtractProducts } from '../../numeric/index.ts'
import type { Field } from './modular.ts'

/** Rows that are taken in together: enough of them to multiply matrices with. */
const together = 64
/** Products of so many terms, 2^14 times 2^29 each, stay below 2^52: exact in doubles. */
const mostTerms = 512
const half = 2 ** 15

/**
 * The space that rows of residues span, as a matrix that is the identity in one column per row (its pivot). Kept column
 * by column. A row must be as long as any before it; shorter ones before it count as if they ended in zeros.
 */
export class Echelon {
  readonly #field: Field
  readonly #pivots: number[]
  readonly #columns: Float64Array[]

  constructor(field: Field, from?: Echelon) {
    this.#field = field
    this.#pivots = from ? from.#pivots.slice() : []
    this.#columns = from ? from.#columns.map((column) => column.slice()) : []
  }

  fork(): Echelon {
    return new Echelon(this.#field, this)
  }

  /** Takes the rows, which become its own, into the span. */
  add(rows: readonly Float64Array[]): void {
    for (let i = 0; i < rows.length; i += together) this.#addBlock(rows.slice(i, i + together))
  }

  /** Is every row in the span? Changes them. */
  contains(rows: readonly Float64Array[]): boolean {
    this.#reduce(rows)
    return rows.every((row) => row.every((value) => value === 0))
  }

  #addBlock(rows: readonly Float64Array[]): void {
    const width = rows.reduce((most, row) => Math.max(most, row.length), this.#columns.length)
    while (this.#columns.length < width) this.#columns.push(new Float64Array(this.#pivots.length))
    this.#reduce(rows)
    const fresh: { row: Float64Array; pivot: number }[] = []
    for (const row of rows) {
      for (const other of fresh) this.#takeOut(row, other)
      const pivot = row.findIndex((value) => value !== 0)
      if (pivot < 0) continue
      const scale = this.#field.invert(row[pivot]!)
      const next = { row: row.map((value) => this.#field.multiply(value, scale)), pivot }
      for (const other of fresh) this.#takeOut(other.row, next)
      fresh.push(next)
    }
    this.#join(fresh)
  }

  /** row ← row - (its entry at the pivot)·other. */
  #takeOut(row: Float64Array, { row: other, pivot }: { row: Float64Array; pivot: number }): void {
    const field = this.#field
    const times = row[pivot] ?? 0
    if (times === 0) return
    for (let j = 0; j < row.length; j++)
      if (other[j]) row[j] = field.subtract(row[j]!, field.multiply(times, other[j]!))
  }

  /** Every row less its part in the span: its entries at the pivots times the matrix. */
  #reduce(rows: readonly Float64Array[]): void {
    const shares = rows.map((row) => Float64Array.from(this.#pivots, (pivot) => row[pivot] ?? 0))
    subtractModulo(this.#field, rows, shares, this.#columns)
  }

  /** New rows, which are 0 at the pivots: the old ones become 0 at theirs. */
  #join(fresh: readonly { row: Float64Array; pivot: number }[]): void {
    const entries = this.#columns.map((_, j) => Float64Array.from(fresh, ({ row }) => row[j] ?? 0))
    const shares = this.#pivots.map((_, i) => Float64Array.from(fresh, ({ pivot }) => this.#columns[pivot]![i]!))
    subtractModulo(this.#field, this.#columns, entries, shares)
    for (const [j, column] of this.#columns.entries()) {
      const longer = new Float64Array(column.length + fresh.length)
      longer.set(column)
      longer.set(entries[j]!, column.length)
      this.#columns[j] = longer
    }
    for (const { pivot } of fresh) this.#pivots.push(pivot)
  }
}

/**
 * target[i][j] -= Σ left[i][t]·right[j][t] modulo the prime, in exact floating-point products: both sides between ±2^29,
 * the left one in two halves.
 */
function subtractModulo(
  field: Field,
  target: readonly Float64Array[],
  left: readonly Float64Array[],
  right: readonly Float64Array[],
): void {
  const terms = left[0]?.length ?? 0
  const { prime } = field
  for (let from = 0; from < terms; from += mostTerms) {
    const balanced = (rows: readonly Float64Array[]) =>
      rows.map((row) => row.slice(from, from + mostTerms).map((value) => (2 * value > prime ? value - prime : value)))
    const [given, others] = [balanced(left), balanced(right)]
    const high = given.map((row) => row.map((value) => Math.round(value / half)))
    const low = given.map((row, i) => row.map((value, t) => value - half * high[i]![t]!))
    const [highs, lows] = [high, low].map((side) => {
      const products = target.map(() => new Float64Array(right.length))
      subtractProducts(products, side, others)
      return products
    }) as [Float64Array[], Float64Array[]]
    for (const [i, row] of target.entries()) {
      const [h, l] = [highs[i]!, lows[i]!]
      const end = Math.min(row.length, right.length)
      for (let j = 0; j < end; j++) row[j] = field.reduce(row[j]! + half * field.reduce(h[j]!) + l[j]!)
    }
  }
}
