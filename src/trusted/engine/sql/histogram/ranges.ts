import { strides } from '../../../../numeric/index.ts'
import type { LinearQuery, Term } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'
import type { Histogram } from './histogram.ts'
import { isWide } from './weights.ts'

/** A range in so many dimensions has two to their power of corners. */
const mostAxes = 6

/** Whether a query is one number, a sum of counts in boxes that doubles can hold whatever the data are. */
export const isRange = ({ by, terms }: LinearQuery): boolean =>
  by.length === 0 &&
  !isWide(terms.reduce((sum, { coefficient }) => sum + Math.abs(coefficient), 0)) &&
  terms.every(({ factors }) => {
    for (const name in factors) if (factors[name]!.kind !== 'interval') return false
    return true
  })

/** Counts of all records up to each cell in every direction: any box is a sum over its corners. */
export class Ranges {
  readonly #names: readonly string[]
  readonly #sizes: readonly number[]
  readonly #steps: readonly number[]
  readonly #sums: Float64Array

  static areFewAxes = ({ sizes }: Histogram): boolean => sizes.length <= mostAxes

  constructor({ attributes, sizes, counts }: Histogram, u: Universe) {
    this.#names = attributes.map((a) => u.attributes[a]!.name)
    this.#sizes = sizes
    this.#steps = strides(sizes)
    this.#sums = counts.slice()
    for (const [axis, step] of this.#steps.entries()) addAlong(this.#sums, step, sizes[axis]!)
  }

  /** The answer to a range (isRange) over these attributes or fewer. */
  answer({ terms }: LinearQuery): Float64Array {
    let sum = 0
    for (const term of terms) sum += term.coefficient * this.#box(term, 0, 0)
    return Float64Array.of(sum)
  }

  #box(term: Term, axis: number, cell: number): number {
    if (axis === this.#steps.length) return this.#sums[cell]!
    const factor = term.factors[this.#names[axis]!]
    const { from, to } = factor?.kind === 'interval' ? factor : { from: 0, to: this.#sizes[axis]! - 1 }
    const step = this.#steps[axis]!
    const upTo = this.#box(term, axis + 1, cell + to * step)
    return from === 0 ? upTo : upTo - this.#box(term, axis + 1, cell + (from - 1) * step)
  }
}

/** Adds to every cell the one before it along an axis. */
function addAlong(sums: Float64Array, step: number, size: number): void {
  for (let start = 0; start < sums.length; start += step * size)
    for (let cell = start + step; cell < start + step * size; cell++) sums[cell]! += sums[cell - step]!
}
