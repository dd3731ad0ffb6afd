import { subtractProducts } from '../../../numeric/index.ts'
import type { Field } from './modular.ts'

/**
 * Rows in a block: enough of them to multiply matrices with. Products of so many terms, 2^14 times 2^29 each, stay far
 * below 2^52: they are exact in doubles.
 */
const blockSize = 64
const half = 2 ** 15

/** A row of residues with a 1 in its pivot's column, where the others of its block and all rows after it have 0. */
interface Pivoted {
  readonly row: Float64Array
  readonly pivot: number
}
interface Block {
  readonly rows: readonly Pivoted[]
  /** The same column by column, residues between ±prime/2. */
  readonly columns: readonly Float64Array[]
}

/**
 * The space that rows of residues span, in echelon form by blocks. A row must be as long as any before it; shorter ones
 * before it count as if they ended in zeros.
 */
export class Echelon {
  readonly #field: Field
  readonly #blocks: Block[]

  constructor(field: Field, blocks: readonly Block[] = []) {
    this.#field = field
    this.#blocks = [...blocks]
  }

  fork(): Echelon {
    return new Echelon(this.#field, this.#blocks)
  }

  /** Takes the rows, which become its own, into the span. */
  add(rows: readonly Float64Array[]): void {
    for (let next = 0; next < rows.length; ) {
      const last = this.#blocks.at(-1)
      const open = last && last.rows.length < blockSize ? this.#blocks.pop()!.rows : []
      const block = rows.slice(next, next + blockSize - open.length)
      next += block.length
      this.#reduce(block)
      const pivoted = this.#eliminated(open, block)
      if (pivoted.length > 0) this.#blocks.push({ rows: pivoted, columns: this.#columnsOf(pivoted) })
    }
  }

  /** Is the row in the span? Changes it. */
  contains(row: Float64Array): boolean {
    this.#reduce([row])
    return row.every((value) => value === 0)
  }

  /** Every row less its part in the span, block after block: its entries at the pivots times the block's rows. */
  #reduce(rows: readonly Float64Array[]): void {
    for (const block of this.#blocks) {
      const shares = rows.map((row) => Float64Array.from(block.rows, ({ pivot }) => row[pivot]!))
      subtractModulo(this.#field, rows, shares, block.columns)
    }
  }

  /** A block with more rows; those that bring nothing new are left out. */
  #eliminated(open: readonly Pivoted[], rows: readonly Float64Array[]): Pivoted[] {
    const width = rows[0]!.length
    const pivoted = open.map(({ row, pivot }) => ({ row: longer(row, width), pivot }))
    for (const row of rows) {
      for (const other of pivoted) this.#takeOut(row, other)
      const pivot = row.findIndex((value) => value !== 0)
      if (pivot < 0) continue
      const scale = this.#field.invert(row[pivot]!)
      const next = { row: row.map((value) => this.#field.multiply(value, scale)), pivot }
      for (const other of pivoted) this.#takeOut(other.row, next)
      pivoted.push(next)
    }
    return pivoted
  }

  /** row ← row - (its entry at the pivot)·other. */
  #takeOut(row: Float64Array, { row: other, pivot }: Pivoted): void {
    const field = this.#field
    const times = row[pivot]!
    if (times === 0) return
    for (let j = 0; j < row.length; j++) row[j] = field.subtract(row[j]!, field.multiply(times, other[j]!))
  }

  #columnsOf(pivoted: readonly Pivoted[]): Float64Array[] {
    const { prime } = this.#field
    const columns = Array.from(pivoted[0]!.row, () => new Float64Array(pivoted.length))
    for (const [i, { row }] of pivoted.entries())
      for (let j = 0; j < row.length; j++) columns[j]![i] = 2 * row[j]! > prime ? row[j]! - prime : row[j]!
    return columns
  }
}

function longer(row: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(length)
  copy.set(row)
  return copy
}

/**
 * target[i][j] -= Σ left[i][t]·right[j][t] modulo the prime, in exact floating-point products: the right side between
 * ±2^29, the left one too, and in two halves.
 */
function subtractModulo(
  field: Field,
  target: readonly Float64Array[],
  left: readonly Float64Array[],
  right: readonly Float64Array[],
): void {
  const given = left.map((row) => row.map((value) => (2 * value > field.prime ? value - field.prime : value)))
  const high = given.map((row) => row.map((value) => Math.round(value / half)))
  const low = given.map((row, i) => row.map((value, t) => value - half * high[i]![t]!))
  const [highs, lows] = [high, low].map((side) => {
    const products = target.map(() => new Float64Array(right.length))
    subtractProducts(products, side, right)
    return products
  }) as [Float64Array[], Float64Array[]]
  for (const [i, row] of target.entries()) {
    const [h, l] = [highs[i]!, lows[i]!]
    for (let j = 0; j < right.length; j++) row[j] = field.reduce(row[j]! + half * field.reduce(h[j]!) + l[j]!)
  }
}
