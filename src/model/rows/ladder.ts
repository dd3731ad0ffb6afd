import { firstWhere } from '../../numeric/index.ts'

/** Shares one on top of the other, so that a point on the way up falls on each as often as it should. */
export class Ladder {
  readonly #tops: Float64Array

  /** `shares` need not add up to 1; not all are 0. */
  constructor(shares: ArrayLike<number>) {
    this.#tops = Float64Array.from(shares)
    for (let i = 1; i < this.#tops.length; i++) this.#tops[i]! += this.#tops[i - 1]!
  }

  /** The step that a point falls on, which lies so far up: from 0 to below 1. Steps of no height are never hit. */
  at(point: number): number {
    const height = point * this.#tops.at(-1)!
    return firstWhere(0, this.#tops.length - 1, (step) => this.#tops[step]! > height)
  }

  /** So many, each drawn by itself; `words` are whole numbers below 2^32. */
  draws(count: number, words: () => number): Int32Array {
    const drawn = new Int32Array(count)
    for (let i = 0; i < count; i++) drawn[i] = this.at(words() / 2 ** 32)
    return drawn
  }
}

/** The steps that so many points fall on, in order: each point is at the height of the one before it or above. */
export function stepsAt(heights: ArrayLike<number>, count: number, pointAt: (i: number) => number): Int32Array {
  const steps = new Int32Array(count)
  let [step, top] = [0, heights[0]!]
  for (let i = 0; i < count; i++) {
    const point = pointAt(i)
    while (point >= top && step + 1 < heights.length) top += heights[++step]!
    steps[i] = step
  }
  return steps
}
