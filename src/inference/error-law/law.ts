import { gaussianTail, gaussianVariance, laplaceTail, laplaceVariance, toNumber } from '../../numeric/index.ts'
import type { NoiseLaw } from '../../query/index.ts'

/** The law of one noise, in steps of its query. The continuous one is the paper's; no meter draws it. */
export type Law =
  | { readonly kind: 'laplace'; readonly scale: number }
  | { readonly kind: 'gaussian'; readonly variance: number }
  | { readonly kind: 'continuous-laplace'; readonly scale: number }

/**
 * `count` independent noises of one law, each with this coefficient in the error of an estimate. The coefficient holds
 * the query's step, so that coefficient × noise is in the data's units.
 */
export interface Term {
  readonly law: Law
  readonly coefficient: number
  readonly count: number
}

type Of<K extends Law['kind']> = Extract<Law, { kind: K }>
type ByKind<T> = { readonly [K in Law['kind']]: (law: Of<K>) => T }
/** The table's row for this law. */
const pick = <T>(table: ByKind<T>, law: Law): T => (table[law.kind] as (law: Law) => T)(law)

/** What a recorded law is here; undefined for an answer without noise. */
export function lawOf(noise: NoiseLaw): Law | undefined {
  switch (noise.kind) {
    case 'laplace':
      return { kind: 'laplace', scale: toNumber(noise.scale) }
    case 'gaussian':
      return { kind: 'gaussian', variance: toNumber(noise.variance) }
    case 'none':
      return undefined
  }
}

const variances: ByKind<number> = {
  laplace: ({ scale }) => laplaceVariance(scale),
  // From σ = 2 on the two differ by e^-79 of it.
  gaussian: ({ variance }) => (variance > 4 ? variance : gaussianVariance(variance)),
  'continuous-laplace': ({ scale }) => 2 * scale * scale,
}
/** The law's own variance, in steps squared. */
export const varianceOf = (law: Law): number => pick(variances, law)

const tails: ByKind<(x: number) => number> = {
  laplace:
    ({ scale }) =>
    (x) =>
      laplaceTail(scale, Math.floor(x)),
  gaussian:
    ({ variance }) =>
    (x) =>
      gaussianTail(variance, Math.floor(x)),
  'continuous-laplace':
    ({ scale }) =>
    (x) =>
      Math.exp(-x / scale),
}
/** Pr(|noise| > x) for x ≥ 0 in steps. */
export const tailOf = (law: Law, x: number): number => pick(tails, law)(x)

/** Does the law lie on the integers? */
export const isDiscrete = (law: Law): boolean => law.kind !== 'continuous-laplace'

/** Noises that are other than zero with at most this probability, all together, may be left out. */
export const absent = 1e-15

/** Pr(noise ≠ 0), or 1 where that is anything to speak of. */
export const presence = (law: Law): number =>
  (law.kind === 'laplace' && law.scale < 0.1) || (law.kind === 'gaussian' && law.variance < 0.05) ? tailOf(law, 0) : 1

/** The error's variance, in the data's units squared. */
export function varianceOfError(terms: readonly Term[]): number {
  let total = 0
  for (const { law, coefficient, count } of terms) total += count * coefficient * coefficient * varianceOf(law)
  return total
}
