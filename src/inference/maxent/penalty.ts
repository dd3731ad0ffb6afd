import type { MaxentProblem } from './problem.ts'

/**
 * What a difference r between π and a model's mean costs, at one α. Gaussian noise: κr²/2, and the dual weight is free but pays w²/2κ.
 * Laplace noise: the same up to its scale and a straight line of slope β beyond (Huber's loss), and the dual weight also stays in ±β.
 * docs/algorithms/maximum-entropy.md
 */
export interface Penalty {
  /** β: infinite for Gaussian noise. */
  readonly bounds: Float64Array
  /** 1/κ: 0 where an answer is said to be exact. */
  readonly ridges: Float64Array
}

/** Exact answers get a bound that no noise would reach: a constraint that is all but hard. */
const boundOfExact = 1e6

export const penaltyAt = ({ boxes, ridges, bend }: MaxentProblem, alpha: number): Penalty => ({
  bounds: boxes.map((box, i) =>
    ridges[i]! > 0 ? Number.POSITIVE_INFINITY : Number.isFinite(box) ? alpha * box : boundOfExact,
  ),
  ridges: ridges.map((ridge, i) => (Number.isFinite(boxes[i]!) ? bend * boxes[i]! ** -2 : ridge) / alpha),
})

/** How far a fit is from the best one at most, in the objective: what the primal says less what the dual says. Never negative. */
export function dualityGap(residuals: Float64Array, w: Float64Array, { bounds, ridges }: Penalty): number {
  let gap = 0
  for (let i = 0; i < w.length; i++) {
    const [r, bound, ridge] = [residuals[i]!, bounds[i]!, ridges[i]!]
    if (bound === 0) continue
    // The weight that would suit the residual.
    const pull = ridge > 0 ? Math.min(bound, Math.abs(r) / ridge) : bound
    gap += pull * Math.abs(r) - w[i]! * r + (ridge * (w[i]! ** 2 - pull ** 2)) / 2
  }
  return gap
}

/** By how much each mean is off, beyond what its weight accounts for: all of that at a weight of 0, and nothing at the bound on its side. */
export const slopesOf = (residuals: Float64Array, w: Float64Array, { bounds, ridges }: Penalty): Float64Array =>
  residuals.map((r, i) => {
    const rest = r - ridges[i]! * w[i]!
    return bounds[i] === 0 ? 0 : Math.abs(rest) - (w[i]! * rest) / bounds[i]!
  })
