import type { Term } from '../../inference/index.ts'

/** Shares of the best exponent of a normal law, or of the greatest that there is, that are tried: heavier tails want smaller ones. */
const shares = [0.55, 0.7, 0.8, 0.9, 0.97, 1]

/**
 * Beyond this an error is with at most the doubt, half of it on each side, by Chernoff's bound: exp(-λt)·E exp(λ error) for
 * the best of a few λ. A little wider than the exact half-width, and found without the law of the error.
 */
export function tailBound(terms: readonly Term[], variance: number, doubt: number): number {
  if (variance === 0) return 0
  const sure = Math.log(2 / doubt)
  const ends = terms.flatMap(({ law, coefficient }) =>
    law.kind === 'gaussian' || coefficient === 0 ? [] : [1 / (law.scale * Math.abs(coefficient))],
  )
  const best = ends.reduce((least, end) => Math.min(least, end), Math.sqrt((2 * sure) / variance))
  return shares.reduce((least, share) => {
    const at = share * best
    const log = terms.reduce((sum, term) => sum + term.count * logMoment(term, at), 0)
    return Math.min(least, (log + sure) / at)
  }, Number.POSITIVE_INFINITY)
}

/** log E exp(at · coefficient · noise); infinite where there is none. */
function logMoment({ law, coefficient }: Term, at: number): number {
  const x = Math.abs(at * coefficient)
  if (law.kind === 'gaussian') return (x * x * law.variance) / 2
  // (cosh(1/b) - 1) / (cosh(1/b) - cosh x), with both differences as products, which lose no digits.
  const [a, b] = [1 / law.scale, x]
  if (b >= a) return Number.POSITIVE_INFINITY
  if (law.kind === 'continuous-laplace') return -Math.log1p(-((x * law.scale) ** 2))
  return 2 * Math.log(Math.sinh(a / 2)) - Math.log(Math.sinh((a + b) / 2)) - Math.log(Math.sinh((a - b) / 2))
}
