import type { Law } from './law.ts'

/**
 * Draws from a law in floating point, for simulation alone: nothing private may be blurred with these numbers. The
 * exact samplers are trusted/random's.
 */
export function sampler(law: Law, uniform: () => number): () => number {
  switch (law.kind) {
    case 'laplace':
      return discreteLaplace(law.scale, uniform)
    case 'continuous-laplace':
      return () => (uniform() < 0.5 ? law.scale : -law.scale) * Math.log1p(-uniform())
    case 'gaussian':
      return discreteGaussian(law.variance, uniform)
  }
}

/** The difference of two geometric numbers, each the floor of an exponential one. */
const discreteLaplace = (scale: number, uniform: () => number) => () =>
  Math.floor(-scale * Math.log1p(-uniform())) - Math.floor(-scale * Math.log1p(-uniform()))

/** A discrete Laplace number kept with probability exp(-(|y| - σ²/t)²/2σ²) (Canonne, Kamath, Steinke 2020). */
function discreteGaussian(sigma2: number, uniform: () => number): () => number {
  const t = Math.floor(Math.sqrt(sigma2)) + 1
  const laplace = discreteLaplace(t, uniform)
  return () => {
    for (;;) {
      const y = laplace()
      const miss = Math.abs(y) - sigma2 / t
      if (uniform() < Math.exp((-miss * miss) / (2 * sigma2))) return y
    }
  }
}
