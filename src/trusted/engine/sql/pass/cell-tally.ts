import type { Block, CodeColumn } from './block.ts'

/** Counts records by the cell of some columns' product that they fall in, the last column running fastest. */
export class CellTally {
  readonly #columns: readonly number[]
  readonly #sizes: readonly number[]
  readonly #counts: Float64Array

  constructor(columns: readonly number[], sizes: readonly number[], counts: Float64Array) {
    this.#columns = columns
    this.#sizes = sizes
    this.#counts = counts
  }

  add({ rows, columns }: Block): void {
    const codes = this.#columns.map((c) => columns[c]!)
    if (codes.length === 0) this.#counts[0]! += rows
    else if (codes.length === 1) addSingle(this.#counts, rows, codes[0]!)
    else if (codes.length === 2) addPair(this.#counts, rows, codes[0]!, codes[1]!, this.#sizes[1]!)
    else addAny(this.#counts, rows, codes, this.#sizes)
  }
}

function addSingle(counts: Float64Array, rows: number, a: CodeColumn): void {
  for (let r = 0; r < rows; r++) counts[a[r]!]!++
}
function addPair(counts: Float64Array, rows: number, a: CodeColumn, b: CodeColumn, size: number): void {
  for (let r = 0; r < rows; r++) counts[a[r]! * size + b[r]!]!++
}
function addAny(counts: Float64Array, rows: number, codes: readonly CodeColumn[], sizes: readonly number[]): void {
  const cells = Int32Array.from(codes[0]!.subarray(0, rows))
  for (let axis = 1; axis < codes.length; axis++) {
    const [column, size] = [codes[axis]!, sizes[axis]!]
    for (let r = 0; r < rows; r++) cells[r] = cells[r]! * size + column[r]!
  }
  addSingle(counts, rows, cells)
}
