import { one } from '../../numeric/index.ts'
import type { SynthBudget, SynthTerms } from '../../release/index.ts'
import { distanceSensitivity, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

/** What a method is told of prices, in the currency of its budget. */
export function synthTerms({ universe, terms: privacy }: Book, { rho }: SynthBudget): SynthTerms {
  const terms = { universe, privacy }
  return {
    universe,
    unitNoise: (query) => (rho ? varianceFor(query, one, terms) : scaleFor(query, one, terms)),
    distanceSensitivity: (query) => distanceSensitivity(query, terms),
  }
}
