import { offsets, strides } from '../../numeric/index.ts'
import type { Cells } from './cells.ts'
import { isForAll, visitTogether } from './parallel-visits.ts'

/** Cells that are visited in one go: their places stay in the processor's cache. */
const blockSize = 2 ** 13

/** Of the first of each block's cells, and of a block's others from there. */
interface Places {
  readonly high: Int32Array
  readonly low: Int32Array
}

/**
 * From the cells of a table to those of one of its marginals. The place of a cell in the marginal is the sum of a part
 * that the last axes decide and one that the others do, so two short tables of places serve a table of any size.
 */
export class Projection {
  readonly size: number
  readonly #places: Places

  constructor(sizes: readonly number[], axes: readonly number[]) {
    const kept = strides(axes.map((axis) => sizes[axis]!))
    const steps = sizes.map((_, axis) => kept[axes.indexOf(axis)] ?? 0)
    this.size = axes.reduce((cells, axis) => cells * sizes[axis]!, 1)
    let split = sizes.length
    for (let cells = 1; split > 0 && cells * sizes[split - 1]! <= blockSize; split--) cells *= sizes[split - 1]!
    this.#places = {
      high: offsets(sizes.slice(0, split), steps),
      low: offsets(sizes.slice(split), steps.slice(split)),
    }
  }

  /** The marginal: every cell's number, added up at its place. */
  sum(cells: Cells, scale = 1): Float64Array {
    const sums = new Float64Array(this.size)
    this.addTo(sums, cells)
    if (scale !== 1) for (let i = 0; i < sums.length; i++) sums[i]! *= scale
    return sums
  }

  /** Adds every cell's number to the one at its place. */
  addTo(sums: Float64Array, cells: Cells): void {
    if (isForAll(cells, this.size)) visitTogether(cells, this.#places, { sums })
    else addUp(cells, this.#places, sums)
  }

  /** Multiplies every cell by the factor at its place, and tells what all of them add up to then. */
  multiply(cells: Cells, factors: Float64Array): number {
    return isForAll(cells, this.size)
      ? visitTogether(cells, this.#places, { factors })
      : multiplyAll(cells, this.#places, factors)
  }

  /** Adds to every cell the number at its place. */
  add(cells: Float64Array, numbers: Float64Array): void {
    const { high, low } = this.#places
    let at = 0
    for (const base of high) for (let i = 0; i < low.length; i++) cells[at++]! += numbers[base + low[i]!]!
  }
}

/** One thread, which small tables are visited by again and again. */
function addUp(cells: Cells, { high, low }: Places, sums: Float64Array): void {
  let next = 0
  for (let h = 0; h < high.length; h++) {
    const base = high[h]!
    for (let i = 0; i < low.length; i++) sums[base + low[i]!]! += cells[next++]!
  }
}

function multiplyAll(cells: Cells, { high, low }: Places, factors: Float64Array): number {
  let next = 0
  let total = 0
  for (let h = 0; h < high.length; h++) {
    const base = high[h]!
    for (let i = 0; i < low.length; i++) {
      const product = cells[next]! * factors[base + low[i]!]!
      cells[next++] = product
      total += product
    }
  }
  return total
}
