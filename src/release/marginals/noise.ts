import { gaussianVariance, laplaceScale, laplaceVariance, type Rational } from '../../numeric/index.ts'
import type { NoiseLaw } from '../../query/index.ts'
import type { Draw, Held } from '../meter.ts'
import { expectedDeviation } from './deviation.ts'

/**
 * The currency of a release, and the noise that it buys: Laplace noise for ε, Gaussian noise for ρ. *The noise* of an
 * answer is one number, the Laplace scale or the Gaussian variance, in steps. Either way a query costs its unit noise
 * divided by its noise, so prices are divided in the same way.
 */
export interface NoiseKind {
  readonly name: 'laplace' | 'gaussian'
  /** A price, as it is held. */
  held(price: Rational): Held
  law(noise: Rational): NoiseLaw
  draw(query: number, noise: Rational): Draw
  /** Of the discrete law. */
  variance(noise: number): number
  /** The noise of a law with this variance. */
  ofVariance(variance: number): number
  /** The usual scale parameter: Laplace b, Gaussian σ. */
  scale(noise: number): number
  /** The expected absolute error of independent answers with these noises, weighted by the inverse of their variances. */
  deviation(noises: readonly number[]): number
  /**
   * What to spend on a marginal, up to a factor, so that the expected overall error is least; `reciprocal` is the mean of
   * 1/max{δ, count} over it, m. Laplace: Σ λ m is least, for a given Σ u/λ, where λ ∝ √(u/m), and that costs √(u m) (§5.2,
   * Oracle's law). Gauss: Σ σ m is least, for a given Σ u/σ², where σ ∝ (u/m)^⅓, and that costs u^⅓ m^⅔
   * (docs/algorithms/gaussian-marginals.md).
   */
  bestShare(unitNoise: number, reciprocal: number): number
  /** Whether two answers together are as precise as one for the same total price: then nothing is lost by a first look. */
  readonly addsUp: boolean
}

const laplaceNoise: NoiseKind = {
  name: 'laplace',
  held: (epsilon) => ({ epsilon }),
  law: (scale) => ({ kind: 'laplace', scale }),
  draw: (query, scale) => ({ query, scale }),
  variance: laplaceVariance,
  ofVariance: laplaceScale,
  scale: (noise) => noise,
  deviation: expectedDeviation,
  bestShare: (unit, reciprocal) => Math.sqrt(unit * reciprocal),
  addsUp: false,
}

const gaussianNoise: NoiseKind = {
  name: 'gaussian',
  held: (rho) => ({ rho }),
  law: (variance) => ({ kind: 'gaussian', variance }),
  draw: (query, variance) => ({ query, variance }),
  variance: gaussianVariance,
  ofVariance: (variance) => variance,
  scale: Math.sqrt,
  // Of the normal law: that of a discrete one is less by about 1/12σ² of it.
  deviation: (variances) => Math.sqrt((2 / Math.PI) * combinedVariance(gaussianNoise, variances)),
  bestShare: (unit, reciprocal) => Math.cbrt(unit * reciprocal * reciprocal),
  addsUp: true,
}

/** The scale of the noise in answers that were combined; that of the only one where there is one. */
export const combinedScale = (kind: NoiseKind, noises: readonly number[]): number =>
  kind.scale(noises.length === 1 ? noises[0]! : kind.ofVariance(combinedVariance(kind, noises)))

export const combinedVariance = (kind: NoiseKind, noises: readonly number[]): number =>
  1 / noises.reduce((sum, noise) => sum + 1 / kind.variance(noise), 0)

/** The noise that is bought with what is held. */
export const noiseOf = ({ rho }: Held): NoiseKind => (rho ? gaussianNoise : laplaceNoise)

/** What is held, whichever currency that is in. */
export const priceHeld = (held: Held): Rational => held.rho ?? held.epsilon
