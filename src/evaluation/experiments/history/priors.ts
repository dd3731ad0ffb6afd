import { learnedPrior, oneWayTables, type PastAnswers } from '../../../inference/index.ts'
import type { Measurement } from '../../../query/index.ts'

/** What a kernel estimate begins with. */
interface Beginning {
  readonly name: string
  readonly past: PastAnswers
  readonly prior: ReturnType<typeof oneWayTables>
}

/** ε of the one-way marginals that a prior is bought with (§5.1). */
export const priorEpsilon = 0.02

/**
 * All cells alike; what the history itself tells of single attributes, at no further cost; and what bought one-way marginals tell of
 * them, which are then among the answers as well, since they were paid for.
 */
export function beginnings(past: PastAnswers, bought: readonly Measurement[], random: () => number): Beginning[] {
  const prior = oneWayTables({ ...past, measurements: bought }, random)
  const all = { ...past, measurements: [...past.measurements, ...bought] }
  return [
    { name: 'uniform prior', past, prior: [] },
    { name: 'learned prior', past, prior: learnedPrior(past, random) },
    { name: 'bought prior', past: all, prior },
  ]
}
