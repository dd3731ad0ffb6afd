import { compare, type Rational } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, discreteLaplaces, systemBits } from '../../random/index.ts'
import { sum } from '../sum.ts'
import { greatestScale, leastScale } from './jumps.ts'
import { type Changes, walkUp } from './walk.ts'

/** What a step down shows: the level reached, which cells changed on the way, and their answers now. */
export interface Revealed {
  readonly level: number
  readonly cells: Int32Array
  readonly values: Integers
}

/**
 * Noisy answers as functions of their scale on a public grid s_0 < s_1 < …, revealed from the top down.
 *
 * Guarantee: the answers at all levels from `level` up together cost what those at `level` cost alone, |q(t)|/s_level:
 * each noisier version is the one below plus noise drawn without looking at the data. What lies below has not left. Who
 * lowers has charged for it, before. Proof: docs/algorithms/refinement.md
 */
export interface NoisePaths {
  /** The lowest level revealed, an index into the grid; its last when opened. */
  readonly level: number
  /** The answers at that level. */
  values(): Integers
  /** Down to a level or, with 'first-change', to the first one above it at which any answer is another. */
  lower(to: number, stop?: 'first-change'): Revealed
}

/** Throws RangeError unless the grid rises strictly within 1/500 … 2^36. */
export function openPaths(
  { exact, grid }: { readonly exact: Exact<Integers>; readonly grid: readonly Rational[] },
  bits: Bits = systemBits,
): NoisePaths {
  checkGrid(grid)
  const answers = open(exact)
  // The fast sampler reaches every scale of a grid and gives doubles.
  const start = discreteLaplaces(grid[0]!, answers.length, bits) as Float64Array
  return new Paths(sum(answers, start), walkUp(answers.length, grid, bits), grid.length - 1)
}

/** Throws RangeError unless the scales rise strictly within what a path can have. */
export function checkGrid(grid: readonly Rational[]): void {
  const rises = grid.every((scale, i) => i === 0 || compare(grid[i - 1]!, scale) < 0)
  if (grid.length === 0 || !rises) throw new RangeError('the scales of a grid must rise')
  if (compare(grid[0]!, leastScale) < 0 || compare(grid.at(-1)!, greatestScale) > 0)
    throw new RangeError('the scales of a grid must lie between 1/500 and 2^36')
}

/** Private fields: printing a run shows nothing of what it hides. */
class Paths implements NoisePaths {
  #level: number
  readonly #values: Float64Array | bigint[]
  readonly #changes: Changes
  /** Number of the step in which a cell was last touched, so that a step lists each cell once. */
  readonly #touched: Int32Array
  #steps = 0

  constructor(lowest: Integers, changes: Changes, top: number) {
    this.#changes = changes
    this.#level = top
    this.#touched = new Int32Array(lowest.length)
    this.#values = exactSums(lowest, changes)
  }

  get level(): number {
    return this.#level
  }

  values(): Integers {
    return this.#values.slice()
  }

  lower(to: number, stop?: 'first-change'): Revealed {
    if (!Number.isInteger(to) || to < 0 || to > this.#level) throw new RangeError('a path is revealed downward only')
    const touched: number[] = []
    this.#steps++
    while (this.#level > to && !(stop && touched.length > 0)) this.#stepDown(touched)
    const listed = Int32Array.from(touched)
    return { level: this.#level, cells: listed, values: this.#pick(listed) }
  }

  #pick(cells: Int32Array): Integers {
    const values = this.#values
    return values instanceof Float64Array
      ? Float64Array.from(cells, (cell) => values[cell]!)
      : Array.from(cells, (cell) => values[cell]!)
  }

  #stepDown(touched: number[]): void {
    const { starts, cells, sizes } = this.#changes
    const level = this.#level--
    for (let i = starts[level]!; i < starts[level + 1]!; i++) {
      const cell = cells[i]!
      const values = this.#values
      if (values instanceof Float64Array) values[cell]! -= sizes[i]!
      else values[cell]! -= BigInt(sizes[i]!)
      if (this.#touched[cell] !== this.#steps) touched.push(cell)
      this.#touched[cell] = this.#steps
    }
  }
}

/**
 * The answers at the top: those at the bottom plus all jumps. In doubles only if no sum on the way, in any order, can
 * pass 2^53: then the answers at every level between are exact too.
 */
function exactSums(lowest: Integers, { cells, sizes, count }: Changes): Float64Array | bigint[] {
  if (lowest instanceof Float64Array) {
    const reach = lowest.map(Math.abs)
    for (let i = 0; i < count; i++) reach[cells[i]!]! += Math.abs(sizes[i]!)
    if (reach.every(Number.isSafeInteger)) {
      const values = lowest.slice()
      for (let i = 0; i < count; i++) values[cells[i]!]! += sizes[i]!
      return values
    }
  }
  const values = Array.from<number | bigint, bigint>(lowest, BigInt)
  for (let i = 0; i < count; i++) values[cells[i]!]! += BigInt(sizes[i]!)
  return values
}
