import { strides } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'

/** Variance of the effect that a binary attribute by itself has on the logarithm of a cell's share. */
const oneWay = 0.5
/** Each further attribute that an effect depends on makes its variance smaller by this factor. */
const decay = 0.15

/**
 * What is expected of a table before anything is known: the logarithms of its shares are a sum of independent effects of
 * sets of attributes, the smaller the more attributes they depend on, and of the chance that n records bring along, whose variance is
 * that of a count, 1/(n·share). Covariances are a product over the attributes, so they are applied axis by axis.
 */
export class SmoothPrior {
  readonly #sizes: readonly number[]
  readonly #steps: readonly number[]
  readonly #records: number

  constructor({ attributes }: Universe, records: number) {
    this.#sizes = attributes.map(({ size }) => size)
    this.#steps = strides(this.#sizes)
    this.#records = records
  }

  /** The covariance matrix of the logarithms times a vector. */
  times(vector: Float64Array): Float64Array {
    const smooth = vector.slice()
    for (const [axis, size] of this.#sizes.entries())
      if (size > 1) shrinkAxis(smooth, size, this.#steps[axis]!, (decay * Math.log2(size)) / (size - 1))
    const chance = 1 / this.#records
    const cells = vector.length
    return smooth.map((value, i) => cells * ((oneWay / decay) * value + chance * vector[i]!))
  }
}

/** Along one axis: the mean stays, and what differs from it is multiplied by a factor. */
function shrinkAxis(values: Float64Array, size: number, step: number, factor: number): void {
  const span = size * step
  for (let from = 0; from < values.length; from += span)
    for (let line = from; line < from + step; line++) {
      let sum = 0
      for (let i = line; i < line + span; i += step) sum += values[i]!
      const mean = ((1 - factor) * sum) / size
      for (let i = line; i < line + span; i += step) values[i] = factor * values[i]! + mean
    }
}
