import { type Bits, fastLaplace, nearScale } from '../../random/index.ts'
import { type Levels, nextJump } from './jumps.ts'

/**
 * What each level of a grid adds to the noise of the level below: jumps starts[j] … starts[j+1]-1 happen at level j.
 */
export interface Changes {
  readonly starts: Uint32Array
  readonly cells: Int32Array
  readonly sizes: Float64Array
  readonly count: number
}

/**
 * Walks many cells up the grid at once. Every cell waits for one jump, in the list of the level where it will happen;
 * so the levels are visited once, in order, and the jumps come out sorted by level.
 */
export function walkUp(count: number, levels: Levels, bits: Bits): Changes {
  const { scales } = levels
  const top = scales.length
  const heads = new Int32Array(top + 1).fill(-1)
  const waiting = new Int32Array(count)
  const wait = (cell: number, level: number) => {
    const jump = nextJump(level, levels, bits)
    waiting[cell] = heads[jump]!
    heads[jump] = cell
  }
  for (let cell = 0; cell < count; cell++) wait(cell, 0)

  const starts = new Uint32Array(top + 1)
  // A path is expected to jump ln(w_0/w_top) times.
  const jumps = new JumpList(Math.ceil(count * (1 + Math.log(levels.weight[0]! / levels.weight.at(-1)!))))
  for (let level = 1; level < top; level++) {
    starts[level] = jumps.count
    if (heads[level] === -1) continue
    const scale = scales.at(level)!
    const near = nearScale(scale)
    for (let cell = heads[level]!; cell !== -1; ) {
      const next = waiting[cell]!
      jumps.push(cell, fastLaplace(near, scale, bits))
      wait(cell, level)
      cell = next
    }
  }
  starts[top] = jumps.count
  return { starts, cells: jumps.cells, sizes: jumps.sizes, count: jumps.count }
}

/** Grows when the expected number of jumps, with a little room, was not enough. */
class JumpList {
  count = 0
  cells: Int32Array
  sizes: Float64Array

  constructor(capacity: number) {
    this.cells = new Int32Array(capacity)
    this.sizes = new Float64Array(capacity)
  }

  push(cell: number, size: number): void {
    // A jump of size 0 is no change that anybody could see.
    if (size === 0) return
    if (this.count === this.cells.length) this.#grow()
    this.cells[this.count] = cell
    this.sizes[this.count++] = size
  }

  #grow(): void {
    const capacity = Math.ceil(1.5 * this.count) + 16
    const [cells, sizes] = [new Int32Array(capacity), new Float64Array(capacity)]
    cells.set(this.cells)
    sizes.set(this.sizes)
    this.cells = cells
    this.sizes = sizes
  }
}
