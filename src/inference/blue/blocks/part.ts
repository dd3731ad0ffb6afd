import type { Law } from '../../error-law/law.ts'

/**
 * The numbers of all measurements of one query, weighted by their precisions, the last axis running fastest. The noises of
 * each measurement are independent and have one law.
 */
export interface NoisyNumbers {
  readonly values: Float64Array
  /** Σ of the sizes that each value was added up from; undefined for the numbers of one measurement. */
  readonly sizes: Float64Array | undefined
  /** Of the noise of one number. */
  readonly variance: number
  readonly members: readonly Member[]
}

/** A measurement, and its share of the numbers. */
export interface Member {
  readonly id: string
  readonly law: Law
  readonly share: number
}

/** Weights of the groups along an axis, and the groups where they are not 0. */
export interface AxisWeights {
  readonly weights: Float64Array
  readonly support: Int32Array
}

/** Σ over numbers of times · Π weights along the axes · number. */
export interface Part {
  readonly block: NoisyNumbers
  readonly times: number
  readonly axes: readonly AxisWeights[]
}

/** Calls for every number with a weight other than 0. */
export function forEachWeight({ times, axes }: Part, call: (at: number, weight: number) => void): void {
  const walk = (axis: number, at: number, weight: number): void => {
    const along = axes[axis]
    if (!along) {
      call(at, weight)
      return
    }
    const { weights, support } = along
    for (let k = 0; k < support.length; k++)
      walk(axis + 1, at * weights.length + support[k]!, weight * weights[support[k]!]!)
  }
  walk(0, 0, times)
}
