import type { Law, Term } from '../../inference/index.ts'

/** The part of the doubt that is set aside for what steps do to many noises. */
const setAside = 1 / 100

/** With `confidence`, and twice what is set aside for steps. */
export const surer = (confidence: number): number => 1 - (1 - 2 * setAside) * (1 - confidence)

/**
 * How far the sum of a few discrete noises may be from one of continuous noises drawn together with them, whatever they
 * are. Proof: docs/algorithms/ratios.md
 */
export const coupling = (terms: readonly Term[]): number =>
  terms.reduce((sum, { law, coefficient, count }) => sum + count * Math.abs(coefficient) * gap(law), 0)

function gap(law: Law): number {
  switch (law.kind) {
    case 'laplace':
      return 1 / 2 + 1 / (8 * law.scale)
    case 'gaussian':
      return law.variance < 1 / 4 ? 1 : 1 / 2 + Math.min(0.36, 0.335 / Math.sqrt(law.variance))
    case 'continuous-laplace':
      return 0
  }
}

/**
 * The same for many noises, but for what is set aside of the doubt: what is added to each is independent of it, and its
 * sum is at most √(2·ln(2/p)·Σ a²v) but with probability p, v being the variance of a normal law with heavier tails.
 */
export function unevenness(terms: readonly Term[], confidence: number): number {
  let sum = 0
  for (const { law, coefficient, count } of terms) sum += count * coefficient * coefficient * added(law)
  return Math.sqrt(2 * Math.log(2 / (setAside * (1 - confidence))) * sum)
}

/** Smooths a discrete Gaussian to within e^(-2π²·1.25): 10^6 of them to within 4·10^-5. */
const smoothing = 1.25

function added(law: Law): number {
  switch (law.kind) {
    case 'laplace':
      return 1 / 6
    case 'gaussian':
      return law.variance > 2 * smoothing ? smoothing / (1 - smoothing / law.variance) : Number.POSITIVE_INFINITY
    case 'continuous-laplace':
      return 0
  }
}
