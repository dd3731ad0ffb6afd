import type { PanelKernel } from '../../../numeric/index.ts'
import type { Components } from './components.ts'
import type { Layout } from './layout.ts'
import type { Panels } from './panels.ts'

/**
 * ½ Σ (model - measured)²/variance over all marginals, up to a constant factor, and its derivatives; where a difference may only pull so
 * hard, it grows in a straight line beyond that (Huber). A marginal is n Σ_k w_k ⊗ q_k with a row of q per group, so value and
 * derivatives are products of panels: of measured cells alone.
 */
export class Objective {
  readonly layout: Layout
  /** Derivatives by n·w·p of the atoms' rows, and by n·w of the components; then by logits. */
  readonly slopes: Float32Array
  readonly totals: Float32Array
  readonly #records: number
  readonly #length: number
  readonly #kernel: PanelKernel
  /** q; n·w·q of the views; derivatives by q; n·w; residuals over variance. */
  readonly #groups: Float32Array
  readonly #weighted: Float32Array
  readonly #groupSlopes: Float32Array
  readonly #scaled: Float32Array
  readonly #residuals: Float32Array
  /** Of all tables, as they were when last differentiated: Σ (model - measured)²/variance, and the same with the straight lines. */
  #squares = 0
  #losses = 0

  /** Rows that it takes of the panels, for so many atoms. */
  static rows({ rows, viewRows }: Layout, atoms: number): number {
    return atoms + 2 * rows + viewRows + 2
  }

  constructor(layout: Layout, records: number, atoms: number, panels: Panels) {
    const { rows, viewRows, weights } = layout
    this.layout = layout
    this.#records = records
    this.#length = panels.length
    this.#kernel = panels.kernel
    this.slopes = panels.rows(atoms)
    this.totals = panels.rows(1)
    this.#scaled = panels.rows(1)
    this.#groups = panels.rows(rows)
    this.#weighted = panels.rows(viewRows)
    this.#groupSlopes = panels.rows(rows)
    this.#residuals = panels.floats(weights.length)
  }

  /** Sets the derivatives by logits. */
  differentiate(components: Components): void {
    this.#gather(components)
    this.#multiply()
    this.#groupSlopes.fill(0)
    this.totals.fill(0)
    this.#spreadTables()
    this.#spreadProducts()
    this.#spreadLines(components)
    this.#collect(components)
    components.pullBack(this.slopes, this.totals, this.#records)
  }

  /** Σ (model - measured)²/variance and the number of cells: of the tables or, where there are none, of the lines. */
  misfit(): { readonly chiSquare: number; readonly cells: number } {
    const { cells, lineWeights, scale } = this.layout
    if (cells > 0) return { chiSquare: this.#squares / scale, cells }
    return { chiSquare: this.#lines() / scale, cells: lineWeights.length }
  }

  /** The value itself, in the factor that the derivatives have. */
  value(components: Components): number {
    this.differentiate(components)
    return (this.#losses + this.#lines()) / 2
  }

  /** As they were when last differentiated. */
  #lines(): number {
    let sum = 0
    const { lines, lineWeights, lineWeighted } = this.layout
    for (const { view, at } of lines)
      for (let i = 0; i < view.count; i++) {
        const weight = lineWeights[at + i]!
        sum += (weight * this.#expected(view.row + i) - lineWeighted[at + i]!) ** 2 / weight
      }
    return sum
  }

  /** Rows of all groupings from those of the atoms. */
  #gather({ probabilities, weights, offsets }: Components): void {
    const [length, kernel, groups, weighted] = [this.#length, this.#kernel, this.#groups, this.#weighted]
    groups.fill(0)
    for (const { attribute, runs, row } of this.layout.views)
      for (const [first, atoms, group] of runs) {
        const from = probabilities.byteOffset + 4 * (offsets[attribute]! + first) * length
        kernel.addAll(from, groups.byteOffset + 4 * (row + group) * length, atoms)
      }
    for (let k = 0; k < length; k++) this.#scaled[k] = weights[k]! * this.#records
    kernel.multiply(weighted.byteOffset, groups.byteOffset, this.#scaled.byteOffset, this.layout.viewRows)
    for (const { factors, row } of this.layout.products) {
      const [a, b] = factors
      const at = (index: number) => groups.byteOffset + 4 * index * length
      for (let i = 0; i < a.count; i++) kernel.multiply(at(row + i * b.count), at(b.row), at(a.row + i), b.count)
    }
  }

  /** Residuals over variance of all tables. */
  #multiply(): void {
    const { blocks, weights, weighted } = this.layout
    const residuals = this.#residuals
    const rowBytes = 4 * this.#length
    for (const { left, right, at, stride } of blocks)
      for (let i = 0; i < left.count; i += 4)
        this.#kernel.dots(
          this.#weighted.byteOffset + (left.row + i) * rowBytes,
          this.#groups.byteOffset + right.row * rowBytes,
          residuals.byteOffset + 4 * (at + i * stride),
          4 * stride,
          stride / 2,
        )
    for (let cell = 0; cell < residuals.length; cell++)
      residuals[cell] = residuals[cell]! * weights[cell]! - weighted[cell]!
    this.#limit()
  }

  /** Differences that may pull no harder are kept to that, once χ² is known. */
  #limit(): void {
    const [{ weights, limits }, residuals] = [this.layout, this.#residuals]
    let [squares, losses] = [0, 0]
    for (let cell = 0; cell < residuals.length; cell++) {
      const residual = residuals[cell]!
      if (residual === 0) continue
      const pull = Math.max(-limits[cell]!, Math.min(limits[cell]!, residual))
      squares += residual ** 2 / weights[cell]!
      losses += (2 * residual - pull) * (pull / weights[cell]!)
      residuals[cell] = pull
    }
    this.#squares = squares
    this.#losses = losses
  }

  /** What tables of two attributes say about their views' rows, and what all tables of two say about the weights. */
  #spreadTables(): void {
    for (const block of this.layout.blocks) if (!('factors' in block.right)) this.#spread(block)
    // Each table has said it twice, from its left and from its right.
    this.#kernel.addProducts(
      this.#groups.byteOffset,
      this.#groupSlopes.byteOffset,
      this.totals.byteOffset,
      this.layout.viewRows,
    )
    for (let k = 0; k < this.#length; k++) this.totals[k]! /= 2
  }

  /** What tables of three attributes say: first about the rows of the product, then about its factors'. */
  #spreadProducts(): void {
    const { blocks, products, viewRows, rows } = this.layout
    if (products.length === 0) return
    for (const block of blocks) if ('factors' in block.right) this.#spread(block)
    const [length, kernel] = [this.#length, this.#kernel]
    const groups = (row: number) => this.#groups.byteOffset + 4 * row * length
    const slopes = (row: number) => this.#groupSlopes.byteOffset + 4 * row * length
    kernel.addProducts(groups(viewRows), slopes(viewRows), this.totals.byteOffset, rows - viewRows)
    for (const { factors, row } of products) {
      const [a, b] = factors
      for (let i = 0; i < a.count; i++) {
        const first = row + i * b.count
        kernel.addProducts(slopes(first), groups(b.row), slopes(a.row + i), b.count)
        for (let j = 0; j < b.count; j++) kernel.addProducts(slopes(first + j), groups(a.row + i), slopes(b.row + j), 1)
      }
    }
  }

  #spread({ left, right, at, stride }: Layout['blocks'][number]): void {
    const kernel = this.#kernel
    const rowBytes = 4 * this.#length
    const [groups, slopes] = [this.#groups.byteOffset, this.#groupSlopes.byteOffset]
    const cells = this.#residuals.byteOffset + 4 * at
    for (let i = 0; i < left.count; i += 4)
      kernel.accumulate(
        slopes + (left.row + i) * rowBytes,
        cells + 4 * i * stride,
        4 * stride,
        4,
        groups + right.row * rowBytes,
        right.count,
      )
    for (let j = 0; j < right.count; j += 4)
      kernel.accumulate(
        slopes + (right.row + j) * rowBytes,
        cells + 4 * j,
        4,
        4 * stride,
        groups + left.row * rowBytes,
        left.count,
      )
  }

  #expected(row: number): number {
    let sum = 0
    for (let at = row * this.#length; at < (row + 1) * this.#length; at++) sum += this.#weighted[at]!
    return sum
  }

  #spreadLines({ count }: Components): void {
    const { lines, lineWeights, lineWeighted } = this.layout
    for (const { view, at } of lines)
      for (let i = 0; i < view.count; i++) {
        const residual = lineWeights[at + i]! * this.#expected(view.row + i) - lineWeighted[at + i]!
        const from = (view.row + i) * count
        for (let k = 0; k < count; k++) {
          this.totals[k]! += residual * this.#groups[from + k]!
          this.#groupSlopes[from + k]! += residual
        }
      }
  }

  /** From the views back to the atoms. */
  #collect({ offsets, count }: Components): void {
    const [kernel, slopes] = [this.#kernel, this.slopes]
    slopes.fill(0)
    for (const { attribute, runs, row } of this.layout.views)
      for (const [first, atoms, group] of runs) {
        const from = this.#groupSlopes.byteOffset + 4 * (row + group) * count
        kernel.addToAll(slopes.byteOffset + 4 * (offsets[attribute]! + first) * count, from, atoms)
      }
  }
}
