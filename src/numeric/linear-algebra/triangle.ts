import { blockRows, chunk, heapOf, pack } from './heap.ts'

/** Rows that are solved together: more use more of the heap, fewer read the triangle more often. */
const blockSize = 512

/**
 * A lower triangular matrix L that grows row by row, as a Cholesky factor does. It is kept in panels of four rows,
 * column by column, as the micro-kernel reads them. Columns before the first that is not 0 are skipped: a factor often
 * has a narrow band.
 */
export class Triangle {
  #panels: Float64Array[] = []
  /** Of every panel the first column that is not 0, or one before it; a multiple of four. */
  #firsts: number[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** A triangle that grows on its own. Panels of four rows never change again: only the last one is copied. */
  fork(): Triangle {
    const other = new Triangle()
    other.#size = this.#size
    other.#panels = this.#panels.slice()
    other.#firsts = this.#firsts.slice()
    if (this.#size & 3) other.#panels[other.#panels.length - 1] = this.#panels.at(-1)!.slice()
    return other
  }

  /** One more row: its entries before the diagonal (the first `size` of the list), and the diagonal, which is not 0. */
  push(row: Float64Array, diagonal: number): void {
    const n = this.#size++
    const i = n & 3
    if (i === 0) {
      this.#panels.push(new Float64Array(4 * (n + 4)))
      this.#firsts.push(n)
    }
    const panel = this.#panels.at(-1)!
    for (let t = 0; t < n; t++) panel[4 * t + i] = row[t]!
    let first = 0
    while (first < n && row[first] === 0) first++
    this.#firsts[this.#firsts.length - 1] = Math.min(this.#firsts.at(-1)!, first & ~3)
    panel[4 * n + i] = diagonal
  }

  /** The factor of L·Lᵀ + x·xᵀ, by rotations of its columns with x; this one stays as it is. */
  updated(x: Float64Array): Triangle {
    const other = this.fork()
    const [cosines, sines] = [new Float64Array(this.#size), new Float64Array(this.#size)]
    const begin =
      Math.max(
        0,
        x.findIndex((value) => value !== 0),
      ) & ~3
    other.#firsts = this.#firsts.map((first) => Math.min(first, begin))
    for (let p = 0; p < this.#panels.length; p++) {
      const panel = this.#panels[p]!.slice()
      other.#panels[p] = panel
      const end = Math.min(this.#size, 4 * p + 4)
      for (let row = 4 * p; row < end; row++) {
        let left = x[row]!
        let at = row & 3
        for (let t = 0; t < row; t++, at += 4) {
          const entry = panel[at]!
          panel[at] = cosines[t]! * entry + sines[t]! * left
          left = cosines[t]! * left - sines[t]! * entry
        }
        const diagonal = Math.hypot(panel[at]!, left)
        cosines[row] = panel[at]! / diagonal
        sines[row] = left / diagonal
        panel[at] = diagonal
      }
    }
    return other
  }

  /** x ← L⁻¹x, in place, on the first `size` entries. */
  solve(x: Float64Array): void {
    for (let p = 0; p < this.#panels.length; p++) {
      const panel = this.#panels[p]!
      subtractPanel(panel, x, this.#firsts[p]!, 4 * p)
      const end = Math.min(this.#size, 4 * p + 4)
      for (let k = 4 * p; k < end; k++) {
        let value = x[k]!
        for (let t = 4 * p; t < k; t++) value -= panel[4 * t + (k & 3)]! * x[t]!
        x[k] = value / panel[4 * k + (k & 3)]!
      }
    }
  }

  /** x ← L⁻ᵀx, in place, on the first `size` entries. */
  solveTransposed(x: Float64Array): void {
    for (let p = this.#panels.length - 1; p >= 0; p--) {
      const panel = this.#panels[p]!
      const end = Math.min(this.#size, 4 * p + 4)
      for (let k = end - 1; k >= 4 * p; k--) {
        let value = x[k]!
        for (let below = k + 1; below < end; below++) value -= panel[4 * k + (below & 3)]! * x[below]!
        x[k] = value / panel[4 * k + (k & 3)]!
      }
      subtractRows(panel, x, this.#firsts[p]!, 4 * p, end)
    }
  }

  /** Every row r ← r·L⁻ᵀ, in place, on its first `size` entries: `solve` for many at once, as fast as multiplying. */
  solveRows(rows: readonly Float64Array[]): void {
    if (rows.length < 4) for (const row of rows) this.solve(row)
    else for (let i = 0; i < rows.length; i += blockSize) this.#solveBlock(rows.slice(i, i + blockSize))
  }

  /** Every row r ← r·L⁻¹, in place, on its first `size` entries: `solveTransposed` for many at once. */
  solveRowsTransposed(rows: readonly Float64Array[]): void {
    if (rows.length < 4) for (const row of rows) this.solveTransposed(row)
    else for (let i = 0; i < rows.length; i += blockSize) this.#solveBlockTransposed(rows.slice(i, i + blockSize))
  }

  #solveBlockTransposed(rows: readonly Float64Array[]): void {
    const panels = Math.ceil(rows.length / 4)
    const stride = 16 * this.#panels.length
    const { kernel, heap } = heapOf(panels * stride + 4 * chunk)
    const copyAt = panels * stride
    for (let x = 0; x < panels; x++) pack(rows, 4 * x, 0, 4 * this.#panels.length, heap.subarray(x * stride))
    for (let q = this.#panels.length - 1; q >= 0; q--) {
      // Rows below, a chunk at a time: their entries in these four columns, row by row.
      for (let from = q + 1; from < this.#panels.length; from += chunk / 4) {
        const to = Math.min(this.#panels.length, from + chunk / 4)
        for (let p = from; p < to; p++) transposeTile(this.#panels[p]!, 16 * q, heap, copyAt + 16 * (p - from))
        for (let x = 0; x < panels; x++)
          kernel.update(8 * (x * stride + 16 * from), 8 * copyAt, 8 * (x * stride + 16 * q), 4 * (to - from))
      }
      for (let x = 0; x < panels; x++) this.#divideTileTransposed(heap, x * stride, q)
    }
    this.#unpack(rows, heap, stride)
  }

  #divideTileTransposed(heap: Float64Array, x: number, q: number): void {
    const panel = this.#panels[q]!
    const end = Math.min(this.#size, 4 * q + 4)
    for (let k = end - 1; k >= 4 * q; k--) {
      const diagonal = panel[4 * k + (k & 3)]!
      for (let i = 0; i < 4; i++) {
        let value = heap[x + 4 * k + i]!
        for (let t = k + 1; t < end; t++) value -= heap[x + 4 * t + i]! * panel[4 * k + (t & 3)]!
        heap[x + 4 * k + i] = value / diagonal
      }
    }
  }

  #unpack(rows: readonly Float64Array[], heap: Float64Array, stride: number): void {
    rows.forEach((row, i) => {
      const at = (i >> 2) * stride + (i & 3)
      for (let t = 0; t < this.#size; t++) row[t] = heap[at + 4 * t]!
    })
  }

  #solveBlock(rows: readonly Float64Array[]): void {
    const panels = Math.ceil(rows.length / 4)
    const stride = 16 * this.#panels.length
    const { kernel, heap } = heapOf(panels * stride + blockRows * chunk)
    const copyAt = panels * stride
    const update = (x: number, from: number, q: number, copy: number, count: number) =>
      kernel.update(8 * (x * stride + 4 * from), 8 * copy, 8 * (x * stride + 16 * q), count)
    for (let x = 0; x < panels; x++) pack(rows, 4 * x, 0, this.#size, heap.subarray(x * stride))
    const wide = blockRows / 4
    for (let q0 = 0; q0 < this.#panels.length; q0 += wide) {
      const q1 = Math.min(this.#panels.length, q0 + wide)
      // All columns to the left of this block, a chunk at a time…
      const first = Math.min(4 * q0, ...this.#firsts.slice(q0, q1))
      for (let from = first; from < 4 * q0; from += chunk) {
        const to = Math.min(4 * q0, from + chunk)
        const copy = (q: number) => copyAt + (q - q0) * 4 * chunk
        for (let q = q0; q < q1; q++) heap.set(this.#panels[q]!.subarray(4 * from, 4 * to), copy(q))
        for (let x = 0; x < panels; x++) for (let q = q0; q < q1; q++) update(x, from, q, copy(q), to - from)
      }
      // …then those inside it, four by four.
      for (let q = q0; q < q1; q++) {
        heap.set(this.#panels[q]!.subarray(16 * q0, 16 * q), copyAt)
        for (let x = 0; x < panels; x++) {
          update(x, 4 * q0, q, copyAt, 4 * (q - q0))
          this.#divideTile(heap, x * stride, q)
        }
      }
    }
    this.#unpack(rows, heap, stride)
  }

  /** Four rows times the inverse of the transposed corner of panel q. */
  #divideTile(heap: Float64Array, x: number, q: number): void {
    const panel = this.#panels[q]!
    const end = Math.min(this.#size, 4 * q + 4)
    for (let k = 4 * q; k < end; k++) {
      const diagonal = panel[4 * k + (k & 3)]!
      for (let i = 0; i < 4; i++) {
        let value = heap[x + 4 * k + i]!
        for (let t = 4 * q; t < k; t++) value -= heap[x + 4 * t + i]! * panel[4 * t + (k & 3)]!
        heap[x + 4 * k + i] = value / diagonal
      }
    }
  }
}

/** Takes the products of a panel's four rows with the entries first … count - 1 from the next four. */
function subtractPanel(panel: Float64Array, x: Float64Array, first: number, count: number): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (let t = first, at = 4 * first; t < count; t++, at += 4) {
    const value = x[t]!
    s0 += panel[at]! * value
    s1 += panel[at + 1]! * value
    s2 += panel[at + 2]! * value
    s3 += panel[at + 3]! * value
  }
  // The last panel may have fewer rows: writes behind the end of x are lost, and those before it subtract 0.
  x[count]! -= s0
  x[count + 1]! -= s1
  x[count + 2]! -= s2
  x[count + 3]! -= s3
}

/** Takes multiples of a panel's rows from the entries first … count - 1. */
function subtractRows(panel: Float64Array, x: Float64Array, first: number, count: number, end: number): void {
  const x0 = x[count]!
  const x1 = count + 1 < end ? x[count + 1]! : 0
  const x2 = count + 2 < end ? x[count + 2]! : 0
  const x3 = count + 3 < end ? x[count + 3]! : 0
  for (let t = first, at = 4 * first; t < count; t++, at += 4)
    x[t]! -= panel[at]! * x0 + panel[at + 1]! * x1 + panel[at + 2]! * x2 + panel[at + 3]! * x3
}

/** Four rows of a panel in four columns, as rows. */
function transposeTile(panel: Float64Array, at: number, into: Float64Array, to: number): void {
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) into[to + 4 * row + column] = panel[at + 4 * column + row]!
}
