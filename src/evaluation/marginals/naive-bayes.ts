import type { CodedTable } from './table.ts'

/** Logarithms of a naive Bayes model: of each class, and of each value of a feature given the class. */
export interface NaiveBayes {
  readonly prior: Float64Array
  /** Per feature: class·size + value. */
  readonly given: readonly Float64Array[]
}

/** As §6.5: no noisy count is below 1. */
const clamped = (noisy: number): number => Math.max(noisy + 1, 1)

/**
 * From the marginal of the class, and of class and feature for each feature (the feature running fastest). What is given
 * a class adds up to 1 whatever the noise.
 */
export function trainNaiveBayes(classes: Float64Array, joint: readonly Float64Array[]): NaiveBayes {
  return { prior: logShares(classes), given: joint.map((counts) => logSharesByClass(counts, classes.length)) }
}

function logShares(noisy: Float64Array): Float64Array {
  const counts = noisy.map(clamped)
  const total = Math.log(counts.reduce((sum, count) => sum + count, 0))
  return counts.map((count) => Math.log(count) - total)
}

function logSharesByClass(noisy: Float64Array, classes: number): Float64Array {
  const size = noisy.length / classes
  const logs = new Float64Array(noisy.length)
  for (let from = 0; from < noisy.length; from += size) logs.set(logShares(noisy.subarray(from, from + size)), from)
  return logs
}

/** The likeliest class of a record, by the codes of its features. */
export function classify({ prior, given }: NaiveBayes, codes: ArrayLike<number>): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY]
  for (let c = 0; c < prior.length; c++) {
    let score = prior[c]!
    for (let f = 0; f < given.length; f++) score += given[f]![(c * given[f]!.length) / prior.length + codes[f]!]!
    if (score > most) [best, most] = [c, score]
  }
  return best
}

/** The share of a table's records whose class is told rightly; target and features are columns. */
export function accuracy(model: NaiveBayes, table: CodedTable, target: number, features: readonly number[]): number {
  const classes = table.columns[target]!
  const used = features.map((feature) => table.columns[feature]!)
  const codes = new Int32Array(features.length)
  let right = 0
  for (let row = 0; row < table.rows; row++) {
    for (let f = 0; f < used.length; f++) codes[f] = used[f]![row]!
    if (classify(model, codes) === classes[row]) right++
  }
  return right / table.rows
}
