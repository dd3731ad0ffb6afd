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
