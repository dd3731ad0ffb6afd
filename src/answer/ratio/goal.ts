import type { Ratio } from './ratio.ts'

/** A ratio, and half the width that is wanted of numerator / denominator itself. */
export interface RatioGoal {
  readonly ratio: Ratio
  readonly within: number
}

/** The numerator / denominator is at most so far from 0, by the policy alone. */
export const mostOf = ({ ratio: { low, high, offset, times } }: RatioGoal): number =>
  Math.max(...[low, high].map((end) => Math.abs((end - offset) / times)))
