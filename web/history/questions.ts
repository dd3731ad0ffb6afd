import type { HistoryEntry } from './entry.tsx'

/** What was bought for one question, as if at once. Its number is that of its last purchase. */
export interface Question extends HistoryEntry {
  /** The number of its first purchase. */
  readonly first: number
}

/**
 * Averages and quantiles are bought step by step: purchases in a row for one statement are one question. With a δ they stay apart, since
 * prices in ε do not add up there.
 */
export function questionsOf(releases: readonly HistoryEntry[]): Question[] {
  const questions: Question[] = []
  for (const release of releases) {
    const before = questions.at(-1)
    if (before && continues(before, release)) questions[questions.length - 1] = together(before, release)
    else questions.push({ ...release, first: release.number })
  }
  return questions
}

const continues = (before: HistoryEntry, next: HistoryEntry): boolean =>
  next.statement !== null &&
  next.cost.rho === undefined &&
  (['statement', 'analyst', 'state'] as const).every((key) => before[key] === next[key])

const together = (before: Question, next: HistoryEntry): Question => ({
  ...next,
  first: before.first,
  cost: { ...next.cost, epsilon: before.cost.epsilon + next.cost.epsilon },
  measurements: [...before.measurements, ...next.measurements],
})
