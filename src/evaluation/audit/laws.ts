import { bisect } from '../../numeric/index.ts'

/** The smallest ε ≥ 0 for which Σ max(0, p - e^ε q) ≤ δ both ways, for laws given by their probabilities. */
export function epsilonOfLaws(p: readonly number[], q: readonly number[], delta: number): number {
  const excess = (a: readonly number[], b: readonly number[], epsilon: number) =>
    a.reduce((sum, v, i) => sum + Math.max(0, v - Math.exp(epsilon) * b[i]!), 0)
  const holds = (epsilon: number) => excess(p, q, epsilon) <= delta && excess(q, p, epsilon) <= delta
  // 50 halvings leave less than 10^-12.
  return bisect(0, 700, 50, holds)[1]
}
