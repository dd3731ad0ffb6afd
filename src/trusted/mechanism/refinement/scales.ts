import { compare, type Rational } from '../../../numeric/index.ts'
import { type Grid, isGrid } from '../../../query/index.ts'

/** Scales that a grid may have: below, no noise is left to speak of; above, the fast sampler does not reach. */
const leastScale: Rational = { num: 1n, den: 500n }
const greatestScale: Rational = { num: 2n ** 36n, den: 1n }

/** Scales in rising order: any list of them, or one that is computed when it is asked for. */
export type Scales = Pick<readonly Rational[], 'length' | 'at'>

/** The scales of a grid from its last up to its first, over one denominator; not each in lowest terms. */
class EvenScales implements Scales {
  readonly length: number
  readonly #lowest: bigint
  readonly #step: bigint
  readonly #denominator: bigint

  constructor({ first, step, count }: Grid) {
    this.length = count
    this.#step = step.num * first.den
    this.#lowest = first.num * step.den - BigInt(count - 1) * this.#step
    this.#denominator = first.den * step.den
  }
  at(level: number): Rational {
    return { num: this.#lowest + BigInt(level) * this.#step, den: this.#denominator }
  }
}

/** Throws RangeError unless the grid falls within what a path can have. */
export function upward(grid: Grid): Scales {
  if (!isGrid(grid)) throw new RangeError('the scales of a grid must fall, and stay above 0')
  const scales = new EvenScales(grid)
  checkScales(scales)
  return scales
}

/** Throws RangeError unless the scales rise strictly within what a path can have. */
export function checkScales(scales: Scales): void {
  const last = scales.length - 1
  // Those of a grid rise as it falls, and have one denominator.
  const looked = scales instanceof EvenScales ? Math.min(0, last) : last
  for (let i = 0; i <= looked; i++) {
    if (i > 0 && compare(scales.at(i - 1)!, scales.at(i)!) >= 0) throw new RangeError('the scales of a path must rise')
    if (scales.at(i)!.den >= 2n ** 900n) throw new RangeError('the scales of a path must be fractions of a decent size')
  }
  if (last < 0 || compare(scales.at(0)!, leastScale) < 0 || compare(scales.at(last)!, greatestScale) > 0)
    throw new RangeError('the scales of a path must lie between 1/500 and 2^36')
}
