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
