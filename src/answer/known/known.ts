import type { Estimated, Posterior } from '../../inference/index.ts'

/** What the history says about one number: its best estimate, and the law of that estimate's error. */
export interface Known {
  readonly estimate: number
  /** The same for numbers that are alike. */
  readonly made: Pick<Estimated, 'variance' | 'rounding' | 'coefficients' | 'sources'>
  posterior(blur?: number): Posterior
}

/** The same posterior, of which a half-width is computed once: tables ask for it in every group. */
export function remembering(posterior: Posterior): Posterior {
  const widths = new Map<number, number>()
  return {
    ...posterior,
    halfWidth: (confidence) => {
      const known = widths.get(confidence) ?? posterior.halfWidth(confidence)
      widths.set(confidence, known)
      return known
    },
  }
}
