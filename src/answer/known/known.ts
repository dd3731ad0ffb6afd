import type { ErrorLaw, Estimated } from '../../inference/index.ts'

/** What the history says about one number: its best estimate, and the law of that estimate's error. */
export interface Known {
  readonly estimate: number
  /** The same for numbers that are alike. */
  readonly made: Pick<Estimated, 'variance' | 'rounding' | 'coefficients' | 'sources'>
  errorLaw(blur?: number): ErrorLaw
}

/** The same law, of which a half-width is computed once: tables ask for it in every group. */
export function remembering(errorLaw: ErrorLaw): ErrorLaw {
  const widths = new Map<number, number>()
  return {
    ...errorLaw,
    halfWidth: (confidence) => {
      const known = widths.get(confidence) ?? errorLaw.halfWidth(confidence)
      widths.set(confidence, known)
      return known
    },
  }
}
