import type { Chains } from './chains.ts'

/**
 * The chains' states with a share each, such that they stand for p_w though they were drawn from p_v: shares are proportional to
 * exp (w - v)·f (importance sampling).
 */
export class WeightedSample {
  readonly shares: Float64Array
  readonly #chains: Chains
  /** v. */
  readonly #drawnAt: Float64Array
  /** How many records drawn from p_w itself would be worth as much, as a share of all: 1 where shares are alike. */
  worth = 1

  constructor(chains: Chains, drawnAt: Float64Array) {
    this.#chains = chains
    this.#drawnAt = drawnAt.slice()
    this.shares = new Float64Array(chains.count).fill(1 / chains.count)
  }

  /** Takes the shares that belong to w, writes the features' means, and tells ln (Z_w / Z_v) as the sample sees it. */
  at(w: Float64Array, means: Float64Array): number {
    const { shares } = this
    const scores = this.#chains.scores(w.map((x, i) => x - this.#drawnAt[i]!))
    let most = Number.NEGATIVE_INFINITY
    for (let r = 0; r < scores.length; r++) most = Math.max(most, scores[r]!)
    let [sum, squares] = [0, 0]
    for (let r = 0; r < scores.length; r++) {
      const share = Math.exp(scores[r]! - most)
      shares[r] = share
      sum += share
      squares += share * share
    }
    for (let r = 0; r < shares.length; r++) shares[r]! /= sum
    this.worth = (sum * sum) / squares / shares.length
    this.#chains.means(means, shares)
    return most + Math.log(sum / shares.length)
  }

  /** The covariance of the features, with the shares that were taken last, times a vector. */
  covariance(v: Float64Array): Float64Array {
    const scores = this.#chains.scores(v)
    const mean = scores.reduce((sum, score, r) => sum + score * this.shares[r]!, 0)
    const products = new Float64Array(v.length)
    this.#chains.means(
      products,
      scores.map((score, r) => (score - mean) * this.shares[r]!),
    )
    return products
  }
}
