import { type Count, lowerBound, upperBound } from './clopper-pearson.ts'

/** A promise: no event is likelier on one input than e^epsilon times on a neighbouring one, plus delta. */
export interface Claim {
  readonly epsilon: number
  readonly delta: number
}

/** What one event, counted on both inputs, proves at the stated error rate. */
export interface Proof {
  /** The mechanism is not (ε, claimed δ)-private for any ε below this. */
  readonly epsilon: number
  /** …nor (claimed ε, δ)-private for any δ below this. */
  readonly delta: number
}

/**
 * Lower confidence bounds from the counts of one event that was chosen without looking at them: with probability 1 - alpha both
 * binomial bounds hold, and then p ≤ e^ε·q + δ cannot be true below what is returned.
 */
export function prove(likely: Count, unlikely: Count, claim: Claim, alpha: number): Proof {
  const p = lowerBound(likely, alpha / 2)
  const q = upperBound(unlikely, alpha / 2)
  return {
    epsilon: p > claim.delta ? Math.max(0, Math.log((p - claim.delta) / q)) : 0,
    delta: Math.max(0, p - Math.exp(claim.epsilon) * q),
  }
}
