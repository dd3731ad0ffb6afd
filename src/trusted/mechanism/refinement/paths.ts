import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, discreteLaplaces, systemBits } from '../../random/index.ts'
import { plain, sum } from '../sum.ts'
import { levelsOf } from './jumps.ts'
import { checkScales, type Scales } from './scales.ts'
import { type Changes, walkUp } from './walk.ts'

/** What a step down shows. The arrays are the paths' own and hold until they are lowered again. */
export interface Revealed {
  readonly level: number
  /** So many cells changed on the way: the first of `cells`, whose answers now are the first of `values`. */
  readonly count: number
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

/**
 * The paths of several answers on one grid. Throws RangeError unless its scales rise strictly within 1/500 … 2^36.
 */
export function openPaths(
  { exact, grid }: { readonly exact: readonly Exact<Integers>[]; readonly grid: Scales },
  bits: Bits = systemBits,
): NoisePaths[] {
  checkScales(grid)
  const levels = levelsOf(grid)
  return exact.map((sealed) => {
    const answers = open(sealed)
    // The fast sampler reaches every scale of a grid and gives doubles.
    const start = discreteLaplaces(grid.at(0)!, answers.length, bits) as Float64Array
    return new Paths(sum(answers, start), walkUp(answers.length, levels, bits), grid.length - 1)
  })
}

/** Private fields: printing a run shows nothing of what it hides. */
class Paths implements NoisePaths {
  #level: number
  readonly #values: Float64Array | bigint[]
  readonly #changes: Changes
  /** Number of the step in which a cell was last touched, so that a step lists each cell once. */
  readonly #touched: Int32Array
  #steps = 0
  /** What the last step showed. */
  readonly #cells: Int32Array
  readonly #now: Float64Array
  #count = 0

  constructor(lowest: Integers, changes: Changes, top: number) {
    this.#changes = changes
    this.#level = top
    this.#touched = new Int32Array(lowest.length)
    this.#values = exactSums(lowest, changes)
    this.#cells = new Int32Array(lowest.length)
    this.#now = new Float64Array(lowest.length)
  }

  get level(): number {
    return this.#level
  }

  values(): Integers {
    return this.#values instanceof Float64Array ? this.#values.slice() : plain([...this.#values])
  }

  lower(to: number, stop?: 'first-change'): Revealed {
    if (!Number.isInteger(to) || to < 0 || to > this.#level) throw new RangeError('a path is revealed downward only')
    this.#steps++
    this.#count = 0
    if (stop) this.#toFirstChange(to)
    else while (this.#level > to) this.#stepDown()
    return { level: this.#level, count: this.#count, cells: this.#cells, values: this.#shown() }
  }

  #toFirstChange(to: number): void {
    const { starts } = this.#changes
    while (this.#level > to && this.#count === 0) {
      if (starts[this.#level] === starts[this.#level + 1]) this.#level--
      else this.#stepDown()
    }
  }

  #shown(): Integers {
    const [values, cells, count] = [this.#values, this.#cells, this.#count]
    if (!(values instanceof Float64Array)) {
      const now = plain(Array.from(cells.subarray(0, count), (cell) => values[cell]!))
      if (!(now instanceof Float64Array)) return now
      this.#now.set(now)
    } else for (let i = 0; i < count; i++) this.#now[i] = values[cells[i]!]!
    return this.#now
  }

  #stepDown(): void {
    const { starts, cells, sizes } = this.#changes
    const level = this.#level--
    const values = this.#values
    for (let i = starts[level]!; i < starts[level + 1]!; i++) {
      const cell = cells[i]!
      if (values instanceof Float64Array) values[cell]! -= sizes[i]!
      else values[cell]! -= BigInt(sizes[i]!)
      if (this.#touched[cell] !== this.#steps) this.#cells[this.#count++] = cell
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
