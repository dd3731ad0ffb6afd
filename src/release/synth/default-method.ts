import type { Universe } from '../../schema/index.ts'
import type { SynthMethodName } from './methods.ts'

/** Counts of more cells than this are not looked at one by one. */
const mostCells = 2n ** 16n

/**
 * The better of two methods, chosen on public numbers. Noisy counts of all cells give the table of two attributes with
 * the noise of as many cells as are summed, |universe| / s_i s_j. Each of m pairs measured by itself has only a share
 * of the budget, and so m² times the variance of one answer under ε, m times under ρ. If the counts of all cells are
 * better, MWEM starts from them; for any larger universe, measuring pairs is better.
 */
export function defaultMethod({ attributes, size, logSize }: Universe, currency: 'epsilon' | 'rho'): SynthMethodName {
  const several = attributes.filter((attribute) => attribute.size > 1).length
  if (size > mostCells || several === 0) return 'pairs'
  const pairs = Math.max(1, (several * (several - 1)) / 2)
  // A mean over pairs, of logarithms.
  const cellsAdded = logSize * (1 - 2 / several)
  return cellsAdded <= (currency === 'rho' ? 1 : 2) * Math.log(pairs) ? 'mwem' : 'pairs'
}
