import { posteriorByCharacteristic, type Term } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { blurFor } from '../price/choice.ts'
import type { GuardedQuery } from './guard-query.ts'

/**
 * Could the posterior put more than the confidence on some interval of half-width `within`? Errs towards yes: by what
 * the posterior may be blurred and off, and by half a step, as the interval that holds most need not be centred.
 */
export function tellsTooMuch(coefficients: readonly Term[], { query, within, confidence }: GuardedQuery): boolean {
  const posterior = posteriorByCharacteristic(coefficients, { blur: blurFor(within) })
  const reach = within + toNumber(query.step) / 2 + posterior.blur
  return !(posterior.between(-reach, reach) + posterior.slack <= confidence)
}
