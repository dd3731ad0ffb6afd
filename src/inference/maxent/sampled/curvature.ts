import type { Chains } from './chains.ts'

const powerSteps = 2
/** The power method comes from below. */
const margin = 1.2

/**
 * The largest eigenvalue of D^-½ (Cov f + ridges) D^-½ over the chains' states, by the power method: features that go together make the
 * dual steeper than each by itself. `direction` is where it starts and is left where it came to.
 */
export function largestCurvature(
  chains: Chains,
  curvatures: Float64Array,
  ridges: Float64Array,
  direction: Float64Array,
): number {
  const product = new Float64Array(direction.length)
  const scaled = new Float64Array(direction.length)
  let value = 1
  for (let step = 0; step < powerSteps; step++) {
    let square = 0
    for (let i = 0; i < direction.length; i++) square += direction[i]! ** 2
    for (let i = 0; i < direction.length; i++) {
      direction[i]! /= Math.sqrt(square) || 1
      scaled[i] = direction[i]! / Math.sqrt(curvatures[i]!)
    }
    chains.covarianceTimes(scaled, product)
    value = 0
    for (let i = 0; i < direction.length; i++) {
      const next = (product[i]! + ridges[i]! * scaled[i]!) / Math.sqrt(curvatures[i]!)
      value += next * direction[i]!
      direction[i] = next
    }
  }
  return Math.max(1, margin * value)
}
