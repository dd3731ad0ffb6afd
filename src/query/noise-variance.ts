import { gaussianVariance, laplaceVariance, toNumber } from '../numeric/index.ts'
import type { NoiseLaw } from './measurement.ts'

/** In squared steps. */
export function noiseVariance(law: NoiseLaw): number {
  if (law.kind === 'none') return 0
  return law.kind === 'laplace' ? laplaceVariance(toNumber(law.scale)) : gaussianVariance(toNumber(law.variance))
}

/** Laplace's scale or Gauss's variance, in steps. */
export const noiseSpread = (law: NoiseLaw): number =>
  law.kind === 'laplace' ? toNumber(law.scale) : law.kind === 'gaussian' ? toNumber(law.variance) : 0

/** In steps. */
export const noiseDeviation = (law: NoiseLaw): number => Math.sqrt(noiseVariance(law))
