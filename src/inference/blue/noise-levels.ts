import { tableOf } from './column.ts'
import type { Weights } from './compile.ts'
import type { MarginalAnswer, ScalarAnswer } from './noisy-answers.ts'

/** Answers this many times as precise as the noisiest are combined without it, if doubles cannot hold both. */
const far = 2 ** 10

/** A measurement by the standard deviation of its noise, beside the most that one record adds to its answer. */
interface NoiseLevels {
  readonly marginals: ReadonlyMap<string, MarginalAnswer>
  readonly answers: ReadonlyMap<string, readonly ScalarAnswer[]>
}

/** The measurements that are far more precise than the noisiest one. */
export function calmest({ marginals, answers }: NoiseLevels): Set<string> {
  const levels = new Map<string, number>()
  for (const [id, list] of answers) if (list.length > 0) levels.set(id, levelOf(list))
  for (const [id, { variance }] of marginals) levels.set(id, Math.sqrt(variance))
  const noisiest = levels.values().reduce((most, level) => Math.max(most, level), 0)
  return new Set([...levels].filter(([, level]) => far * level < noisiest).map(([id]) => id))
}

const levelOf = (answers: readonly ScalarAnswer[]): number =>
  Math.sqrt(answers[0]!.variance) / answers.reduce((most, { weights }) => Math.max(most, largestOf(weights)), 0)

/** No cell has a larger weight. */
const largestOf = ({ terms }: Weights): number =>
  terms.reduce(
    (sum, { coefficient, columns }) =>
      sum +
      columns.reduce(
        (product, column) =>
          column.interval || column.codes
            ? product
            : product * tableOf(column).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
        Math.abs(coefficient),
      ),
    0,
  )
