import type { SynthBudget } from '../method.ts'

/** What the number of rounds depends on: nothing of it is private. */
interface Situation {
  readonly records: number
  /** For all rounds. */
  readonly budget: { readonly amount: number; readonly currency: 'epsilon' | 'rho' }
  /** By how much a record moves a score, in steps. */
  readonly sensitivity: number
  readonly candidates: number
  /** Natural logarithm of the number of cells. */
  readonly logCells: number
}

/**
 * The number of rounds for which the worst error that MWEM is proved to keep (NIPS version, Theorem 2.2) is least:
 * 2n·√(ln|D|/T) falls with T, while what choice and noise add, 5·ln|Q|/ε₀ at ε₀ a choice, rises. There ε₀ is ε/2T; a choice that
 * costs ρ/2T is one at ε₀ = 2·√(ρ/T).
 */
export function boundRounds({ records, budget, sensitivity, candidates, logCells }: Situation): number {
  const spread = records * Math.sqrt(Math.max(logCells, Math.LN2))
  const choice = Math.max(Math.log(candidates), Math.LN2) * sensitivity
  const { amount, currency } = budget
  const rounds =
    currency === 'epsilon'
      ? ((amount * spread) / (10 * choice)) ** (2 / 3)
      : (0.8 * spread * Math.sqrt(amount)) / choice
  return Math.min(Math.max(1, Math.round(rounds)), candidates)
}

/**
 * Fewer where the model is held in parts: the noise of a round grows with their number, while rounds beyond the second per attribute
 * tell little. On random tables the error is least, and flat, about here; with as many rounds as the bound allows it is twice that.
 */
export const roundsInParts = (bound: number, attributes: number): number =>
  Math.max(1, Math.min(bound, 2 * attributes, Math.round(4 * Math.sqrt(bound))))

/**
 * Fewer for ranges over long attributes, too: they overlap, so that one answer tells much of many others. On generated tables of one such attribute
 * half as many rounds lowered the squared error by a fifth, where there were at least three.
 */
export const roundsOfRanges = (bound: number): number => Math.max(Math.min(bound, 2), Math.round(bound / 2))

export const currencyOf = (budget: SynthBudget): 'epsilon' | 'rho' => (budget.rho ? 'rho' : 'epsilon')
