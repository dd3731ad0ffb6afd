import { strides } from '../../numeric/index.ts'

/** One number per cell of the universe, the last attribute running fastest. */
export type Cells = Float64Array | Float32Array

export function totalOf(cells: Cells): number {
  let total = 0
  for (let i = 0; i < cells.length; i++) total += cells[i]!
  return total
}

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
    const low = this.#low
    const sums = new Float64Array(this.size)
    let at = 0
    for (const base of this.#high) for (let i = 0; i < low.length; i++) sums[base + low[i]!]! += cells[at++]!
    if (scale !== 1) for (let i = 0; i < sums.length; i++) sums[i]! *= scale
    return sums
  }

  /** Multiplies every cell by the factor at its place, and tells what all of them add up to then. */
  multiply(cells: Cells, factors: Float64Array): number {
    const low = this.#low
    let [at, total] = [0, 0]
    for (const base of this.#high)
      for (let i = 0; i < low.length; i++) {
        const product = cells[at]! * factors[base + low[i]!]!
        cells[at++] = product
        total += product
      }
    return total
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
