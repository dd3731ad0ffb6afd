import { strides } from '../../numeric/index.ts'
import type { Cells } from './cells.ts'
import { isForAll, visit, visitTogether } from './parallel-visits.ts'

/** Cells that are visited in one go: their places stay in the processor's cache. */
const blockSize = 2 ** 13

/**
 * From the cells of a table to those of one of its marginals. The place of a cell in the marginal is the sum of a part
 * that the last axes decide and one that the others do, so two short tables of places serve a table of any size.
 */
export class Projection {
  readonly size: number
  readonly #high: Int32Array
  readonly #low: Int32Array

  constructor(sizes: readonly number[], axes: readonly number[]) {
    const kept = strides(axes.map((axis) => sizes[axis]!))
    const steps = sizes.map((_, axis) => kept[axes.indexOf(axis)] ?? 0)
    this.size = axes.reduce((cells, axis) => cells * sizes[axis]!, 1)
    let split = sizes.length
    for (let cells = 1; split > 0 && cells * sizes[split - 1]! <= blockSize; split--) cells *= sizes[split - 1]!
    this.#high = placesOf(sizes.slice(0, split), steps)
    this.#low = placesOf(sizes.slice(split), steps.slice(split))
  }

  /** The marginal: every cell's number, added up at its place. */
  sum(cells: Cells, scale = 1): Float64Array {
    const sums = new Float64Array(this.size)
    this.#visit(cells, { sums })
    if (scale !== 1) for (let i = 0; i < sums.length; i++) sums[i]! *= scale
    return sums
  }

  /** Multiplies every cell by the factor at its place, and tells what all of them add up to then. */
  multiply(cells: Cells, factors: Float64Array): number {
    return this.#visit(cells, { factors })
  }

  #visit(cells: Cells, what: { readonly sums: Float64Array } | { readonly factors: Float64Array }): number {
    const blocks = { high: this.#high, low: this.#low }
    if (isForAll(cells, this.size)) return visitTogether(cells, blocks, what)
    const [totals, done] = [new Float64Array(1), new Int32Array(1)]
    visit({ cells, ...blocks, ...what, at: 0, totals, done, thread: 0 })
    return totals[0]!
  }

  /** Adds to every cell the number at its place. */
  add(cells: Float64Array, numbers: Float64Array): void {
    const low = this.#low
    let at = 0
    for (const base of this.#high) for (let i = 0; i < low.length; i++) cells[at++]! += numbers[base + low[i]!]!
  }
}

/** Σ code·step of every cell over these axes, the last one running fastest. */
function placesOf(sizes: readonly number[], steps: readonly number[]): Int32Array {
  let places: Int32Array = Int32Array.of(0)
  for (const [axis, size] of sizes.entries()) {
    const next = new Int32Array(places.length * size)
    let at = 0
    for (const place of places) for (let code = 0; code < size; code++) next[at++] = place + code * steps[axis]!
    places = next
  }
  return places
}
