import { errorLawByCharacteristic, type Term } from '../../inference/index.ts'
import { laplaceTail, toNumber } from '../../numeric/index.ts'
import { blurFor } from '../price/cheapest.ts'
import type { GuardedQuery } from './guard-query.ts'

/**
 * Could the law of the estimate's error put more than the confidence on some interval of half-width `within`? Errs towards yes: by what
 * that law may be blurred and off, and by half a step, as the interval that holds most need not be centred.
 */
export function tellsTooMuch(coefficients: readonly Term[], { query, within, confidence }: GuardedQuery): boolean {
  const half = within + toNumber(query.step) / 2
  if (coefficients.some((term) => chanceOf(2 * half, term) <= confidence)) return false
  const errorLaw = errorLawByCharacteristic(coefficients, { blur: blurFor(within) })
  const reach = half + errorLaw.blur
  return !(errorLaw.between(-reach, reach) + errorLaw.slack <= confidence)
}

/**
 * A bound on the probability of any interval of this width if one of the noises is this one, whatever the others are: it
 * holds a certain number of points of the noise's grid, and none are likelier than those around 0. If noise is large, as it
 * mostly is, this bound is enough.
 */
function chanceOf(width: number, { law, coefficient }: Term): number {
  const points = Math.floor(width / Math.abs(coefficient)) + 1
  switch (law.kind) {
    case 'laplace':
      return 1 - laplaceTail(law.scale, Math.ceil((points - 1) / 2))
    case 'gaussian':
      return points / Math.sqrt(2 * Math.PI * law.variance)
    case 'continuous-laplace':
      return 1
  }
}
