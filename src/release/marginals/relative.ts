import type { Integers } from '../../query/index.ts'

/**
 * The mean of 1/max{δ, y}: what one unit of noise scale adds to a marginal's relative error (§5.2, with the
 * reciprocal).
 */
export function meanReciprocal(values: Integers | Float64Array, floor: number): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += 1 / Math.max(floor, Number(values[i]!))
  return sum / values.length
}

/**
 * What to spend on each marginal, up to a factor, so that the expected overall error is least (§5.2, Oracle's law):
 * Σ λ_j m_j is smallest, for a given Σ u_j/λ_j, where λ_j ∝ √(u_j/m_j), and that costs u_j/λ_j ∝ √(u_j m_j).
 */
export const bestShare = (unitScale: number, reciprocal: number): number => Math.sqrt(unitScale * reciprocal)
