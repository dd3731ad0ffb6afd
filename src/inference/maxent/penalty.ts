import type { MaxentProblem } from './problem.ts'

/**
 * What a difference between π and a model's mean costs, at one α. Laplace noise: β|r|, and the dual weight stays in ±β. Gaussian
 * noise: κr²/2, and the dual weight is free but pays w²/2κ. docs/algorithms/maximum-entropy.md
 */
interface Penalty {
  /** β: infinite for Gaussian noise. */
  readonly bounds: Float64Array
  /** 1/κ: 0 for Laplace noise. */
  readonly ridges: Float64Array
}

/** Exact answers get a bound that no noise would reach: a constraint that is all but hard. */
const boundOfExact = 1e6

export const penaltyAt = ({ boxes, ridges }: MaxentProblem, alpha: number): Penalty => ({
  bounds: boxes.map((box, i) =>
    ridges[i]! > 0 ? Number.POSITIVE_INFINITY : Number.isFinite(box) ? alpha * box : boundOfExact,
  ),
  ridges: ridges.map((ridge) => ridge / alpha),
})

/** How far a fit is from the best one at most, in the objective: what the primal says less what the dual says. Never negative. */
export function dualityGap(residuals: Float64Array, w: Float64Array, { bounds, ridges }: Penalty): number {
  let gap = 0
  for (let i = 0; i < w.length; i++) {
    const r = residuals[i]!
    if (bounds[i] === 0) continue
    gap += ridges[i]! > 0 ? (r / ridges[i]! - w[i]!) ** 2 * (ridges[i]! / 2) : bounds[i]! * Math.abs(r) - w[i]! * r
  }
  return gap
}

/**
 * By how much each mean is off: for Laplace noise the whole residual at a weight of 0 and nothing at the bound on its side, as in the gap;
 * for Gaussian noise what the weight does not account for.
 */
export const slopesOf = (residuals: Float64Array, w: Float64Array, { bounds, ridges }: Penalty): Float64Array =>
  residuals.map((r, i) => {
    if (ridges[i]! > 0) return r - ridges[i]! * w[i]!
    return bounds[i] === 0 ? 0 : Math.abs(r) - (w[i]! * r) / bounds[i]!
  })

/** How many numbers a fit follows: each answer whose weight is inside its bounds is met exactly, and one at a bound changes nothing. */
export function freedom(means: Float64Array, w: Float64Array, { bounds, ridges }: Penalty, isUsed: Uint8Array): number {
  let count = 0
  for (let i = 0; i < w.length; i++) {
    if (isUsed[i] === 0) continue
    const variance = Math.abs(means[i]!) * (1 - Math.abs(means[i]!))
    // Of Gaussian noise as if no other feature had anything in common with this one: at most too many.
    if (ridges[i]! > 0) count += variance / (variance + ridges[i]!)
    else if (Math.abs(w[i]!) < nearly * bounds[i]!) count++
  }
  return count
}

/** A weight that is so near to its bound would have come to it. */
const nearly = 0.99
