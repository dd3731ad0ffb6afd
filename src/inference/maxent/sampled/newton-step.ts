import type { Chains } from './chains.ts'

/** The dual around the present weights, as a sample sees it: its curvature is the covariance of the features over the chains. */
interface LocalModel {
  readonly chains: Chains
  /** D: about the curvature along each weight. */
  readonly curvatures: Float64Array
  /** The largest eigenvalue of D^-½ (Cov + ridges) D^-½. */
  readonly common: number
  readonly ridges: Float64Array
}

/**
 * Goes some way towards the maximum of slopes·x - ½ xᵀ(Cov + ridges)x with low ≤ x ≤ high, by accelerated projected ascent from 0 (Nesterov,
 * Beck and Teboulle). Few steps leave directions alone that the sample knows little about.
 */
export function newtonStep(
  { chains, curvatures, common, ridges }: LocalModel,
  slopes: Float64Array,
  low: Float64Array,
  high: Float64Array,
  steps: number,
): Float64Array {
  let x = new Float64Array(slopes.length)
  let ahead = x.slice()
  const product = new Float64Array(slopes.length)
  for (let step = 0, t = 1; step < steps; step++) {
    if (step > 0) chains.covarianceTimes(ahead, product)
    const next = ahead.map((y, i) => {
      const slope = slopes[i]! - product[i]! - ridges[i]! * y
      return Math.max(low[i]!, Math.min(high[i]!, y + slope / (curvatures[i]! * common)))
    })
    const t2 = (1 + Math.sqrt(1 + 4 * t * t)) / 2
    ahead = next.map((y, i) => y + ((t - 1) / t2) * (y - x[i]!))
    ;[x, t] = [next, t2]
  }
  return x
}
