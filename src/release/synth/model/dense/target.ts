import { shrunk } from '../../../marginals/consistency/shrink.ts'
import type { NoisyAnswer } from '../../mwem/fitted-model.ts'

/**
 * What a model whose answers are `now` should answer, in view of noisy ones: between the two, and the nearer to the
 * noisy ones the more they differ by than noise would. Undefined where they differ by no more than that: to go on would be to fit
 * noise.
 */
export function wanted(now: Float64Array, { values, variance }: NoisyAnswer): Float64Array | undefined {
  let strays = 0
  for (let i = 0; i < now.length; i++) strays += (values[i]! - now[i]!) ** 2
  if (strays <= now.length * variance * (1 + tolerance) + smallest) return undefined
  if (now.length > 1) return shrunk(Float64Array.from(values), now, variance)
  return Float64Array.of(now[0]! + (1 - variance / strays) * (values[0]! - now[0]!))
}

/** Fitting stops this near the noise, in shares of its variance. */
const tolerance = 0.01
/** Exact answers agree within a thousandth of a record. */
const smallest = 1e-6
