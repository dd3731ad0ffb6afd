import { gaussianHalfWidth } from '../../numeric/index.ts'

/** How wide sums of two noises are, as if these had no steps: to plan with, not to rely upon. */
export interface RoughWidths {
  /** Half the width that the sum of noises of these sizes exceeds with the doubt. */
  width(one: number, other: number): number
  /** The largest noise that makes no more than this width together with another; 0 where the other is too much already. */
  largest(width: number, other: number): number
}

/** Of Laplace's noises. */
export function laplaceWidths(doubt: number): RoughWidths {
  return byTail((one, other, width) => tail(one, other, width) <= doubt)
}

/** Of Gauss's. */
export function gaussianWidths(doubt: number): RoughWidths {
  const deviations = gaussianHalfWidth(1e8, 1 - doubt) / 1e4
  return {
    width: (one, other) => deviations * Math.hypot(one, other),
    largest: (width, other) => Math.sqrt(Math.max(0, (width / deviations) ** 2 - other * other)),
  }
}

/** Pr(|one + other| > width). */
function tail(one: number, other: number, width: number): number {
  const [a, b] = [Math.max(one, other), Math.min(one, other)]
  if (b <= 1e-9 * a) return Math.exp(-width / a)
  const c = b > 0.9999 * a ? 0.9999 * a : b
  return (a * a * Math.exp(-width / a) - c * c * Math.exp(-width / c)) / (a * a - c * c)
}

function byTail(isWithin: (one: number, other: number, width: number) => boolean): RoughWidths {
  return {
    width: (one, other) => bisected((width) => isWithin(one, other, width), 100 * (one + other)),
    largest: (width, other) =>
      isWithin(0, other, width) ? width - bisected((less) => isWithin(width - less, other, width), width) : 0,
  }
}

/** The smallest number up to `most` for which something holds that goes on to hold. */
function bisected(holds: (x: number) => boolean, most: number): number {
  let [low, high] = [0, most]
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
