/** What rows and columns still lack, and how far a number must be from a whole one to be rounded the other way. */
interface Lacking {
  readonly inRows: Float64Array
  readonly inColumns: Float64Array
  readonly least: number
}

/**
 * Gives rows what they lack as long as there is a way: from a row to a cell that was rounded down, on to another cell of its
 * column that was rounded up and need not be, to that cell's row, and so on to a column that lacks something. In every
 * phase each row and column is tried once; the last phase finds nothing.
 */
export class RoundingPaths {
  readonly #table: Float64Array
  readonly #whole: Float64Array
  readonly #lacking: Lacking
  readonly #height: number
  readonly #width: number
  readonly #triedRow: Uint8Array
  readonly #triedColumn: Uint8Array
  /** The path: rows[d] gets a cell in columns[d], which rows[d + 1] = others[d] gives up. */
  readonly #rows: Int32Array
  readonly #columns: Int32Array
  readonly #others: Int32Array

  /** Changes `whole` and what is lacking. */
  constructor(table: Float64Array, whole: Float64Array, lacking: Lacking) {
    this.#table = table
    this.#whole = whole
    this.#lacking = lacking
    this.#height = lacking.inRows.length
    this.#width = lacking.inColumns.length
    this.#triedRow = new Uint8Array(this.#height)
    this.#triedColumn = new Uint8Array(this.#width)
    const longest = Math.min(this.#height, this.#width) + 2
    this.#rows = new Int32Array(longest)
    this.#columns = new Int32Array(longest)
    this.#others = new Int32Array(longest)
  }

  giveAll(): void {
    const { inRows } = this.#lacking
    for (let found = true; found; ) {
      found = false
      this.#triedRow.fill(0)
      this.#triedColumn.fill(0)
      for (let row = 0; row < this.#height; row++)
        while (inRows[row]! > 0 && !this.#triedRow[row] && this.#give(row)) {
          found = true
          inRows[row]!--
          this.#triedRow[row] = 0
        }
    }
  }

  /** Whether there is a path from this row; if so, the numbers along it are changed. */
  #give(start: number): boolean {
    this.#enter(0, start)
    for (let depth = 0; depth >= 0; ) {
      const last = this.#columns[depth] === -1 ? this.#lackingColumn(this.#rows[depth]!) : -1
      if (last >= 0) {
        this.#change(depth, last)
        return true
      }
      const row = this.#nextRow(depth)
      if (row < 0) depth--
      else this.#enter(++depth, row)
    }
    return false
  }

  #enter(depth: number, row: number): void {
    this.#triedRow[row] = 1
    this.#rows[depth] = row
    this.#columns[depth] = -1
    this.#others[depth] = this.#height
  }

  /** A column that lacks something and in which this row can be rounded up; -1 if there is none. */
  #lackingColumn(row: number): number {
    return this.#lacking.inColumns.findIndex((lacking, column) => lacking > 0 && this.#isDown(row, column))
  }

  /** The next row that the path may go on to from its last one; -1 if there is none. */
  #nextRow(depth: number): number {
    const row = this.#rows[depth]!
    for (;;) {
      for (let other = this.#others[depth]! + 1; other < this.#height; other++)
        if (!this.#triedRow[other] && this.#isUp(other, this.#columns[depth]!)) {
          this.#others[depth] = other
          return other
        }
      let column = this.#columns[depth]! + 1
      while (column < this.#width && (this.#triedColumn[column] || !this.#isDown(row, column))) column++
      if (column === this.#width) return -1
      this.#triedColumn[column] = 1
      this.#columns[depth] = column
      this.#others[depth] = -1
    }
  }

  /** Gives along the path of this depth, whose last row gets a cell in this column. */
  #change(depth: number, column: number): void {
    this.#lacking.inColumns[column]!--
    this.#whole[this.#rows[depth]! * this.#width + column]!++
    for (let d = depth - 1; d >= 0; d--) {
      this.#whole[this.#rows[d + 1]! * this.#width + this.#columns[d]!]!--
      this.#whole[this.#rows[d]! * this.#width + this.#columns[d]!]!++
    }
  }

  #isDown(row: number, column: number): boolean {
    const cell = row * this.#width + column
    return this.#table[cell]! - this.#whole[cell]! > this.#lacking.least
  }
  #isUp(row: number, column: number): boolean {
    const cell = row * this.#width + column
    return this.#whole[cell]! - this.#table[cell]! > this.#lacking.least
  }
}
