import type { NoisyAnswer } from '../../../model/index.ts'
import { toNumber } from '../../../numeric/index.ts'
import { type Measurement, type NoiseLaw, noiseVariance } from '../../../query/index.ts'

/** The mean absolute value of the noise, in steps, about: b for Laplace noise of scale b, σ·√(2/π) for Gaussian. */
export function meanNoise(law: NoiseLaw): number {
  if (law.kind === 'none') return 0
  return law.kind === 'laplace' ? toNumber(law.scale) : Math.sqrt((2 * toNumber(law.variance)) / Math.PI)
}

export const noisyAnswer = ({ query, law, values }: Omit<Measurement, 'id'>): NoisyAnswer => ({
  query,
  values: Float64Array.from(values as ArrayLike<number | bigint>, Number),
  variance: noiseVariance(law),
})
