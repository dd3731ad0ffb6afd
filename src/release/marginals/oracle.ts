import { type Rational, toNumber } from '../../numeric/index.ts'
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

/** The scales that make the expected overall error least for ε, none above a largest one. */
export function bestScales(
  units: readonly Rational[],
  reciprocals: readonly number[],
  epsilon: Rational,
  most?: Rational,
): number[] {
  const [ones, all] = [units.map(toNumber), toNumber(epsilon)]
  const least = ones.map((unit) => (most ? unit / toNumber(most) : 0))
  const shares = ones.map((unit, j) => bestShare(unit, reciprocals[j]!))
  const prices = (factor: number) => shares.map((share, j) => Math.max(least[j]!, factor * share))
  // The cost rises with the factor, and is above ε where even the others' prices are those of the shares.
  let [low, high] = [0, all / sum(shares)]
  for (let i = 0; i < 60 && most; i++) {
    const middle = (low + high) / 2
    if (sum(prices(middle)) <= all) low = middle
    else high = middle
  }
  return prices(high).map((price, j) => ones[j]! / price)
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
