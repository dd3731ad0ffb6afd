import { compare, multiply, type Rational, rational } from '../numeric/index.ts'
import type { NoiseLaw } from './measurement.ts'

/**
 * Noise that is sold has a scale (Gaussian noise: a standard deviation) between these, in steps of its query: less tells
 * an exact count, more is beyond the digits that an estimate can carry.
 */
export const noiseRange: { readonly least: Rational; readonly greatest: Rational } = {
  least: rational(1, 1000),
  greatest: rational(10n ** 15n),
}

/** The same in words. */
export const noiseRangeText = 'between 0.001 and 10^15 steps of its query'

/** Whether noise of this law may be sold. None at all is for what is public. */
export function isInNoiseRange(law: NoiseLaw): boolean {
  const { least, greatest } = noiseRange
  switch (law.kind) {
    case 'laplace':
      return compare(law.scale, least) >= 0 && compare(law.scale, greatest) <= 0
    case 'gaussian':
      return (
        compare(law.variance, multiply(least, least)) >= 0 && compare(law.variance, multiply(greatest, greatest)) <= 0
      )
    case 'none':
      return true
  }
}
