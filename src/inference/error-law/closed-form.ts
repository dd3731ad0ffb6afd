import { gaussianHalfWidth, laplaceHalfWidth } from '../../numeric/index.ts'
import type { BlurredLaw } from './error-law.ts'
import { absent, type Law, type Term, tailOf } from './law.ts'

const halfWidthOf = (law: Law, confidence: number): number => {
  switch (law.kind) {
    case 'laplace':
      return laplaceHalfWidth(law.scale, confidence)
    case 'gaussian':
      return gaussianHalfWidth(law.variance, confidence)
    case 'continuous-laplace':
      return -law.scale * Math.log1p(-confidence)
  }
}

/** A number of steps this near to a whole one is that: answers and coefficients have been rounded on their way here. */
export const whole = 1e-9

/** The law of one noise: exact. */
export function oneNoise({ law, coefficient }: Term): BlurredLaw {
  const step = Math.abs(coefficient)
  const discrete = law.kind !== 'continuous-laplace'
  const atMost = (w: number) => (w < 0 ? 0 : 1 - tailOf(law, w / step + (discrete ? whole : 0)))
  const below = (w: number) => (w <= 0 ? 0 : discrete ? oneLess(Math.ceil(w / step - whole) - 1) : atMost(w))
  const oneLess = (k: number) => (k < 0 ? 0 : 1 - tailOf(law, k))
  return {
    atMost,
    below,
    spacing: discrete ? step : 0,
    support: halfWidthOf(law, 1 - 1e-15) * step,
    blur: 0,
    slack: 0,
    halfWidth: (confidence) => halfWidthOf(law, confidence) * step,
  }
}

/** The law of no noise to speak of. */
export const noNoise: BlurredLaw = {
  atMost: (w) => (w < 0 ? 0 : 1),
  below: (w) => (w <= 0 ? 0 : 1),
  spacing: 0,
  support: 0,
  blur: 0,
  slack: absent,
  halfWidth: () => 0,
}
