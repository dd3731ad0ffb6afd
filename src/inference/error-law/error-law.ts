import { bisect } from '../../numeric/index.ts'

/**
 * What a method knows about the law of an error that is as often above zero as below. The probabilities are those of
 * the error moved by at most `blur`; see `slack` for what they are worth.
 */
export interface BlurredLaw {
  /** Pr(|error| ≤ w), as near as the method comes. */
  atMost(w: number): number
  /** Pr(|error| < w): less, where single numbers have a probability. */
  below(w: number): number
  /** The distance of those numbers from each other; 0 where the law has a density. */
  readonly spacing: number
  /** atMost reaches all that it ever reaches by here. */
  readonly support: number
  /** How far the error may have been moved before its law was taken. */
  readonly blur: number
  /** Promised: Pr(|error| ≤ w + blur) ≥ atMost(w) - slack. */
  readonly slack: number
  /** The smallest w that the method can vouch for: Pr(|error| ≤ w) ≥ confidence, blur and slack paid for. */
  halfWidth(confidence: number): number
}

/**
 * The law of an estimate's error. The paper calls the law of estimate - error the posterior of the number θ: it is one under
 * a flat prior, given the estimate alone. Given the answers that it was made of, θ may have another: inference/belief.
 */
export interface ErrorLaw {
  readonly variance: number
  /** Every probability below is that of an error moved by at most this much… */
  readonly blur: number
  /** …and may overstate what it says by this much. */
  readonly slack: number
  /** Conservative: the error lies within ± this with at least the confidence. */
  halfWidth(confidence: number): number
  /** The estimate ± halfWidth, the narrowest such interval (Algorithm 3). */
  interval(estimate: number, confidence: number): [number, number]
  /** Pr(error ≤ x). */
  cdf(x: number): number
  /** The smallest x with Pr(error ≤ x) ≥ probability, neither widened nor moved. */
  quantile(probability: number): number
  /** Pr(low ≤ error ≤ high). */
  between(low: number, high: number): number
  /** Pr(estimate - error > c). */
  above(estimate: number, c: number): number
  /** Pr(estimate - error ≥ c): more, where c itself has a probability. */
  atLeast(estimate: number, c: number): number
  /**
   * The paper's probability mass vector (Definition 4.1): masses[i] = Pr((k-1/2)·step < error ≤ (k+1/2)·step), where k = 0
   * in the middle.
   */
  masses(step: number): Float64Array
}

export function errorLaw(law: BlurredLaw, variance: number): ErrorLaw {
  const cdf = (x: number) => (x >= 0 ? (1 + law.atMost(x)) / 2 : (1 - law.below(-x)) / 2)
  const below = (x: number) => (x > 0 ? (1 + law.below(x)) / 2 : (1 - law.atMost(-x)) / 2)
  return {
    variance,
    blur: law.blur,
    slack: law.slack,
    halfWidth: law.halfWidth,
    interval: (estimate, confidence) => {
      const w = law.halfWidth(confidence)
      return [estimate - w, estimate + w]
    },
    cdf,
    quantile: (probability) => quantile(law, cdf, probability),
    between: (low, high) => Math.max(0, cdf(high) - below(low)),
    above: (estimate, c) => below(estimate - c),
    atLeast: (estimate, c) => cdf(estimate - c),
    masses: (step) => masses(law, cdf, step),
  }
}

function quantile(law: BlurredLaw, cdf: (x: number) => number, probability: number): number {
  // 60 halvings leave nothing that a double could show.
  const [, high] = bisect(-law.support, law.support, 60, (x) => cdf(x) >= probability)
  return law.spacing > 0 ? Math.round(high / law.spacing) * law.spacing : high
}

function masses(law: BlurredLaw, cdf: (x: number) => number, step: number): Float64Array {
  const reach = Math.ceil(law.support / step)
  const edges = Float64Array.from({ length: 2 * reach + 2 }, (_, i) => cdf((i - reach - 0.5) * step))
  return Float64Array.from({ length: 2 * reach + 1 }, (_, i) => edges[i + 1]! - edges[i]!)
}
