import { type PanelKernel, panelKernel } from '../../../../../numeric/index.ts'
import type { Components } from './components.ts'
import { type Layout, layoutOf } from './layout.ts'
import type { MixtureProblem } from './problem.ts'

/**
 * ½ Σ (model - measured)²/variance over all marginals, up to a constant factor, and its derivatives. A marginal is
 * n Σ_k w_k ⊗ q_k with a row of q per group, so value and derivatives are products of panels: of measured cells alone.
 */
export class Objective {
  readonly layout: Layout
  /** Derivatives by n·w·p of the atoms' rows, and by n·w of the components; then by logits. */
  readonly rows: Float32Array
  readonly totals: Float32Array
  readonly #records: number
  readonly #length: number
  readonly #kernel: PanelKernel
  /** q; n·w·q of the views; derivatives by q; residuals over variance. */
  readonly #groups: Float32Array
  readonly #weighted: Float32Array
  readonly #slopes: Float32Array
  readonly #residuals: Float32Array

  constructor(problem: MixtureProblem, components: Components) {
    const length = components.count
    this.layout = layoutOf(problem)
    this.#records = problem.records
    this.#length = length
    this.#kernel = panelKernel(length)
    this.rows = new Float32Array(components.logits.length)
    this.totals = new Float32Array(length)
    const { rows, viewRows, weights } = this.layout
    const sizes = [rows * length, viewRows * length, rows * length, weights.length]
    const { memory } = this.#kernel
    memory.grow(Math.ceil((4 * sizes.reduce((a, b) => a + b)) / 2 ** 16))
    let at = 0
    const [groups, weighted, slopes, residuals] = sizes.map((size) => {
      const array = new Float32Array(memory.buffer, 4 * at, size)
      at += size
      return array
    })
    this.#groups = groups!
    this.#weighted = weighted!
    this.#slopes = slopes!
    this.#residuals = residuals!
  }

  /** Sets the derivatives by logits. */
  differentiate(components: Components): void {
    this.#gather(components)
    this.#multiply()
    this.#slopes.fill(0)
    this.totals.fill(0)
    this.#spreadTables()
    this.#spreadProducts()
    this.#spreadLines(components)
    this.#collect(components)
    components.pullBack(this.rows, this.totals, this.#records)
  }

  /** Σ (model - measured)²/variance over the tables, as they were when last differentiated. */
  chiSquare(): number {
    const { weights, scale } = this.layout
    let sum = 0
    for (const [cell, residual] of this.#residuals.entries()) if (residual !== 0) sum += residual ** 2 / weights[cell]!
    return sum / scale
  }

  /** The value itself, in the factor that the derivatives have. */
  value(components: Components): number {
    this.differentiate(components)
    const { lines, lineWeights, lineWeighted, scale } = this.layout
    let sum = this.chiSquare() * scale
    for (const { view, at } of lines)
      for (let i = 0; i < view.count; i++) {
        const weight = lineWeights[at + i]!
        if (weight > 0) sum += (weight * this.#expected(view.row + i) - lineWeighted[at + i]!) ** 2 / weight
      }
    return sum / 2
  }

  /** Rows of all groupings from those of the atoms. */
  #gather({ probabilities, weights, offsets }: Components): void {
    const length = this.#length
    const [groups, weighted] = [this.#groups, this.#weighted]
    groups.fill(0)
    for (const { attribute, groupOf, row } of this.layout.views)
      for (let atom = 0; atom < groupOf.length; atom++) {
        if (groupOf[atom]! < 0) continue
        const [from, to] = [(offsets[attribute]! + atom) * length, (row + groupOf[atom]!) * length]
        for (let k = 0; k < length; k++) groups[to + k]! += probabilities[from + k]!
      }
    const scaled = weights.map((weight) => weight * this.#records)
    for (let at = 0; at < weighted.length; at += length)
      for (let k = 0; k < length; k++) weighted[at + k] = groups[at + k]! * scaled[k]!
    for (const { factors, row } of this.layout.products) {
      const [a, b] = factors
      let to = row * length
      for (let i = 0; i < a.count; i++)
        for (let j = 0; j < b.count; j++, to += length)
          for (let k = 0; k < length; k++)
            groups[to + k] = groups[(a.row + i) * length + k]! * groups[(b.row + j) * length + k]!
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
  }

  /** What tables of two attributes say about their views' rows, and what all tables of two say about the weights. */
  #spreadTables(): void {
    for (const block of this.layout.blocks) if (!('factors' in block.right)) this.#spread(block)
    const { viewRows } = this.layout
    // Each table has said it twice, from its left and from its right.
    addDots(this.totals, this.#groups, this.#slopes, 0, viewRows * this.#length, 0.5)
  }

  /** What tables of three attributes say: first about the rows of the product, then about its factors'. */
  #spreadProducts(): void {
    const { blocks, products, viewRows, rows } = this.layout
    if (products.length === 0) return
    for (const block of blocks) if ('factors' in block.right) this.#spread(block)
    const length = this.#length
    const [groups, slopes] = [this.#groups, this.#slopes]
    addDots(this.totals, groups, slopes, viewRows * length, rows * length, 1)
    for (const { factors, row } of products) {
      const [a, b] = factors
      let from = row * length
      for (let i = 0; i < a.count; i++)
        for (let j = 0; j < b.count; j++, from += length) {
          const [x, y] = [(a.row + i) * length, (b.row + j) * length]
          for (let k = 0; k < length; k++) {
            slopes[x + k]! += slopes[from + k]! * groups[y + k]!
            slopes[y + k]! += slopes[from + k]! * groups[x + k]!
          }
        }
    }
  }

  #spread({ left, right, at, stride }: Layout['blocks'][number]): void {
    const kernel = this.#kernel
    const rowBytes = 4 * this.#length
    const [groups, slopes] = [this.#groups.byteOffset, this.#slopes.byteOffset]
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
          this.#slopes[from + k]! += residual
        }
      }
  }

  /** From the views back to the atoms. */
  #collect({ offsets, count }: Components): void {
    const [rows, slopes] = [this.rows, this.#slopes]
    rows.fill(0)
    for (const { attribute, groupOf, row } of this.layout.views)
      for (let atom = 0; atom < groupOf.length; atom++) {
        if (groupOf[atom]! < 0) continue
        const [to, from] = [(offsets[attribute]! + atom) * count, (row + groupOf[atom]!) * count]
        for (let k = 0; k < count; k++) rows[to + k]! += slopes[from + k]!
      }
  }
}

/** totals[k] += factor · Σ x[·][k]·y[·][k] from … to. */
function addDots(
  totals: Float32Array,
  x: Float32Array,
  y: Float32Array,
  from: number,
  to: number,
  factor: number,
): void {
  for (let at = from; at < to; at += totals.length)
    for (let k = 0; k < totals.length; k++) totals[k]! += factor * x[at + k]! * y[at + k]!
}
