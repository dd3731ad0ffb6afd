/**
 * The smallest ε for which ρ-zCDP gives (ε, δ)-privacy: the infimum over α > 1 of αρ + (α ln(1 - 1/α) - ln(α-1) - ln δ)/(α-1)
 * (Canonne, Kamath, Steinke 2020, Corollary 13). Any α is valid, so a coarse search errs on the safe side.
 */
export function epsilonOfRho(rho: number, delta: number): number {
  const at = (order: number) =>
    order * rho + (order * Math.log1p(-1 / order) - Math.log(order - 1) - Math.log(delta)) / (order - 1)
  let best = Number.POSITIVE_INFINITY
  for (let log = -5; log < 15; log += 1e-3) best = Math.min(best, at(1 + Math.exp(log)))
  return Math.max(0, best)
}

/** The smallest ε ≥ 0 for which Σ max(0, p - e^ε q) ≤ δ both ways, for laws given by their probabilities. */
export function epsilonOfLaws(p: readonly number[], q: readonly number[], delta: number): number {
  const excess = (a: readonly number[], b: readonly number[], epsilon: number) =>
    a.reduce((sum, v, i) => sum + Math.max(0, v - Math.exp(epsilon) * b[i]!), 0)
  const holds = (epsilon: number) => excess(p, q, epsilon) <= delta && excess(q, p, epsilon) <= delta
  let [low, high] = [0, 700]
  while (high - low > 1e-12) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
