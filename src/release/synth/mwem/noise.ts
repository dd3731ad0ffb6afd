import { gaussianVariance, laplaceVariance, type Rational, toNumber } from '../../../numeric/index.ts'
import type { Measurement, NoiseLaw } from '../../../query/index.ts'
import type { Draw } from '../../meter.ts'
import type { NoisyAnswer } from './fitted-model.ts'

/** In squared steps. */
export function varianceOf(law: NoiseLaw): number {
  if (law.kind === 'none') return 0
  return law.kind === 'laplace' ? laplaceVariance(toNumber(law.scale)) : gaussianVariance(toNumber(law.variance))
}

/** The mean absolute value of the noise, in steps, about: b for Laplace noise of scale b, σ·√(2/π) for Gaussian. */
export function meanNoise(law: NoiseLaw): number {
  if (law.kind === 'none') return 0
  return law.kind === 'laplace' ? toNumber(law.scale) : Math.sqrt((2 * toNumber(law.variance)) / Math.PI)
}

/** A draw with this noise. */
export function drawOf(query: number, law: NoiseLaw): Draw {
  if (law.kind === 'none') throw new RangeError('a draw has noise')
  return law.kind === 'laplace' ? { query, scale: law.scale } : { query, variance: law.variance as Rational }
}

export const noisyAnswer = ({ query, law, values }: Omit<Measurement, 'id'>): NoisyAnswer => ({
  query,
  values: Float64Array.from(values as ArrayLike<number | bigint>, Number),
  variance: varianceOf(law),
})
