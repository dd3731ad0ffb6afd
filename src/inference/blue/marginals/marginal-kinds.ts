import type { Law } from '../../error-law/law.ts'
import { kept } from '../kept.ts'
import type { MarginalAnswer } from '../noisy-answers.ts'

/** Marginals with noise of one law and with as many cells: in an estimate they count alike. */
export interface Kind {
  readonly law: Law
  readonly variance: number
  readonly cells: number
  readonly marginals: Pick<MarginalAnswer, 'attributes'>[]
}

export function kindsOf(marginals: readonly MarginalAnswer[]): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const marginal of marginals) {
    const { law, variance, values } = marginal
    const key = JSON.stringify([law, values.length])
    kept(kinds, key, () => ({ law, variance, cells: values.length, marginals: [] })).marginals.push(marginal)
  }
  return [...kinds.values()]
}
