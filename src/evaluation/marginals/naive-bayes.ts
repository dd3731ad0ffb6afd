import type { CodedTable } from './table.ts'

/** Logarithms of a naive Bayes model: of each class, and of each value of a feature given the class. */
interface NaiveBayes {
  readonly prior: Float64Array
  /** Per feature, the class running fastest: what is added up lies together. */
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
  for (let c = 0; c < classes; c++)
    for (const [value, log] of logShares(noisy.subarray(c * size, (c + 1) * size)).entries())
      logs[value * classes + c] = log
  return logs
}

/** The share of a table's records whose likeliest class is their own; target and features are columns. */
export function accuracy(model: NaiveBayes, table: CodedTable, target: number, features: readonly number[]): number {
  const { prior, given } = model
  const classes = table.columns[target]!
  const used = features.map((feature) => table.columns[feature]!)
  const scores = new Float64Array(prior.length)
  let right = 0
  for (let row = 0; row < table.rows; row++) {
    scores.set(prior)
    for (let f = 0; f < used.length; f++) addAll(scores, given[f]!, used[f]![row]! * prior.length)
    if (largest(scores) === classes[row]) right++
  }
  return right / table.rows
}

function addAll(scores: Float64Array, logs: Float64Array, from: number): void {
  for (let c = 0; c < scores.length; c++) scores[c]! += logs[from + c]!
}

/** Of equals the first. */
function largest(scores: Float64Array): number {
  let best = 0
  for (let c = 1; c < scores.length; c++) if (scores[c]! > scores[best]!) best = c
  return best
}
