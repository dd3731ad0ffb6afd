import { laplaceVariance } from '../../numeric/index.ts'

/**
 * The expected absolute error of independent answers with Laplace noise of these scales, weighted by the inverse of
 * their variances.
 *
 * Of one answer that of the discrete law, 2a/(1-a²) = 1/sinh(1/b) with a = e^(-1/b). Of several that of the continuous
 * laws: with p_i for scale times weight, E|Σ p_i X_i| = Σ_i p_i Π_{k≠i} p_i²/(p_i² - p_k²), from the partial fractions
 * of the characteristic function Π 1/(1 + p_i² t²). Scales must differ.
 */
export function expectedDeviation(scales: readonly number[]): number {
  if (scales.length === 1) return 1 / Math.sinh(1 / scales[0]!)
  const precisions = scales.map((scale) => 1 / laplaceVariance(scale))
  const total = precisions.reduce((a, b) => a + b)
  const parts = scales.map((scale, i) => (scale * precisions[i]!) / total)
  // Of two, written so that equal ones are no exception.
  if (parts.length === 2) {
    const [p, q] = parts as [number, number]
    return (p * p + p * q + q * q) / (p + q)
  }
  const term = (p: number, i: number) => parts.reduce((t, q, k) => (k === i ? t : (t * p * p) / (p * p - q * q)), p)
  return parts.reduce((sum, p, i) => sum + term(p, i), 0)
}
