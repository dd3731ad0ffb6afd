import { dualityGap, penaltyAt } from '../penalty.ts'
import type { MaxentProblem } from '../problem.ts'
import { type BoxProblem, minimizeInBox } from './projected-lbfgs.ts'
import type { TreeMeans } from './tree-means.ts'

/** Weights, and how near they are to the best ones. */
export interface ExactSolution {
  readonly w: Float64Array
  /** The features' means under p_w. */
  readonly means: Float64Array
  /** What the dual says at w: no distribution has a smaller objective. */
  readonly dual: number
  /** The objective of p_w less that: how far it is from the best one, at most. */
  readonly gap: number
  readonly steps: number
}

interface ExactOptions {
  readonly start?: Float64Array
  /** The search ends when the gap is below this share of the objective, or of 1. */
  readonly precision?: number
  readonly mostSteps?: number
  /** 0: a feature that is left out, whose weight stays 0. */
  readonly isUsed?: Uint8Array
}

/** Curvatures below this are those of features that are all but impossible. */
const leastCurvature = 1e-9

/** Maximises the dual w·π - ln Z_w - Σ w²/2κ over the box, with exact slopes. */
export function solveExactly(
  problem: MaxentProblem,
  tree: TreeMeans,
  alpha: number,
  { start, precision = 1e-6, mostSteps = 400, isUsed }: ExactOptions = {},
): ExactSolution {
  const { targets } = problem
  const { bounds, ridges } = penaltyAt(problem, alpha)
  if (isUsed) for (let i = 0; i < bounds.length; i++) if (isUsed[i] === 0) bounds[i] = 0
  const from = Float64Array.from(targets, (_, i) => Math.max(-bounds[i]!, Math.min(bounds[i]!, start?.[i] ?? 0)))
  const box: BoxProblem = {
    low: bounds.map((bound) => -bound),
    high: bounds,
    curvatures: tree.variances(from).map((variance, i) => Math.max(leastCurvature, variance) + ridges[i]!),
    at(w, slopes) {
      let value = tree.at(w, slopes)
      for (let i = 0; i < w.length; i++) {
        value += (ridges[i]! * w[i]! ** 2) / 2 - w[i]! * targets[i]!
        slopes[i]! += ridges[i]! * w[i]! - targets[i]!
      }
      return value
    },
  }
  let found: Omit<ExactSolution, 'w'> = { means: from, dual: Number.NEGATIVE_INFINITY, gap: 0, steps: 0 }
  const w = minimizeInBox(
    box,
    from,
    (w, slopes, value, steps) => {
      const residuals = slopes.map((slope, i) => ridges[i]! * w[i]! - slope)
      const gap = dualityGap(residuals, w, { bounds, ridges })
      found = { means: targets.map((target, i) => target - residuals[i]!), dual: -value, gap, steps }
      return gap <= precision * Math.max(1, Math.abs(value))
    },
    mostSteps,
  )
  return { w, ...found }
}
