import { firstWhere } from '../../numeric/index.ts'
import { whole } from './closed-form.ts'
import type { BlurredLaw } from './error-law.ts'

interface Masses {
  /** Probabilities of the error being 0, ±1, ±2 … steps: [0] of zero, [k] of k and of -k each. */
  readonly half: Float64Array
  readonly step: number
  /** Do the steps themselves have these probabilities, or does each stand for all within half a step around it? */
  readonly exact: boolean
  readonly blur: number
  readonly slack: number
  /** Some w with Pr(|error| ≤ w) ≥ confidence, however high that is. */
  readonly far: (confidence: number) => number
}

/** The law of an error known at the points of a grid. */
export function gridLaw({ half, step, exact, blur, slack, far }: Masses): BlurredLaw {
  // sum[k] = Pr(|error| ≤ k steps)
  const sum = new Float64Array(half.length)
  let total = -half[0]!
  for (let k = 0; k < half.length; k++) sum[k] = total += 2 * half[k]!
  const last = half.length - 1
  const upTo = (k: number) => (k < 0 ? 0 : sum[Math.min(k, last)]!)
  /** Each step's mass spread evenly over its bin: Pr(|error| ≤ x steps). */
  const spread = (x: number) => {
    const k = Math.floor(x + 0.5)
    return k === 0 ? 2 * x * upTo(0) : upTo(k - 1) + (x + 0.5 - k) * (upTo(k) - upTo(k - 1))
  }
  const atMost = (w: number) => (w < 0 ? 0 : exact ? upTo(Math.floor(w / step + whole)) : spread(w / step))
  return {
    atMost,
    below: (w) => (w <= 0 ? 0 : exact ? upTo(Math.ceil(w / step - whole) - 1) : spread(w / step)),
    spacing: exact ? step : 0,
    support: (last + 1) * step,
    blur,
    slack,
    halfWidth: (confidence) => {
      const k = firstAtLeast(sum, confidence + slack)
      return k === undefined ? far(confidence) : k * step + blur
    },
  }
}

function firstAtLeast(sum: Float64Array, goal: number): number | undefined {
  const first = firstWhere(0, sum.length, (k) => sum[k]! >= goal)
  return first === sum.length ? undefined : first
}
