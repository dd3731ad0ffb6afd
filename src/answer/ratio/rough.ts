import { bisect, gaussianHalfWidth } from '../../numeric/index.ts'

/** How wide sums of two noises are, as if these had no steps: to plan with, not to rely upon. */
export interface RoughWidths {
  /** The largest noise that makes no more than this width together with another; 0 where the other is too much already. */
  largest(width: number, other: number): number
}

/** Of Laplace's noises: a sum exceeds the width with the doubt at most. */
export const laplaceWidths = (doubt: number): RoughWidths => ({
  largest: (width, other) => {
    if (tail(0, other, width) > doubt) return 0
    const [, less] = bisect(0, width, 40, (less) => tail(width - less, other, width) <= doubt)
    return width - less
  },
})

/** Of Gauss's. */
export function gaussianWidths(doubt: number): RoughWidths {
  const deviations = gaussianHalfWidth(1e8, 1 - doubt) / 1e4
  return { largest: (width, other) => Math.sqrt(Math.max(0, (width / deviations) ** 2 - other * other)) }
}

/** Pr(|one + other| > width). */
function tail(one: number, other: number, width: number): number {
  const [a, b] = [Math.max(one, other), Math.min(one, other)]
  if (b <= 1e-9 * a) return Math.exp(-width / a)
  const c = b > 0.9999 * a ? 0.9999 * a : b
  return (a * a * Math.exp(-width / a) - c * c * Math.exp(-width / c)) / (a * a - c * c)
}
