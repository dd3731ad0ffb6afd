import { chooseAlpha } from './choose-alpha.ts'
import { CrossValidation, type KernelHistory, roughRecords } from './cross-validation.ts'
import { covariance } from './feature.ts'
import { someOf } from './some-of.ts'

/** Answers that α is chosen by: more of them hardly change it. */
const mostValidated = 2500
const folds = 5
/** With fewer answers there is nothing to validate with. */
const leastValidated = 10

/**
 * The α that tells answers best from others, and the root mean squared error that it is expected to have, in units of the noise. A
 * table that is drawn from the prior has α = √n. Beyond 10·n nothing is left of the prior.
 */
export function validatedAlpha(
  history: KernelHistory,
  random: () => number,
): { readonly alpha: number; readonly expected?: number } {
  const records = roughRecords(history)
  const least = Math.sqrt(Math.max(1, records))
  if (history.answers.length < leastValidated) return { alpha: Math.max(least, typicalAlpha(history, records)) }
  const validation = new CrossValidation(partOf(history, random), folds, random)
  const best = chooseAlpha((alpha) => validation.error(alpha), least, 10 * Math.max(1, records))
  if (!best) return { alpha: Math.max(least, typicalAlpha(history, records)) }
  return { alpha: best.alpha, expected: Math.sqrt(Math.max(0, best.error)) }
}

function partOf(history: KernelHistory, random: () => number): KernelHistory {
  const { answers, rows } = history
  if (answers.length <= mostValidated) return history
  const places = someOf(answers.length, mostValidated, random)
  return {
    ...history,
    answers: places.map((place) => answers[place]!),
    rows: places.map((place, i) => Float64Array.from(places.slice(0, i + 1), (other) => rows[place]![other]!)),
  }
}

/** The α at which answers are as far from the prior's, on average, as they are. */
function typicalAlpha({ answers }: KernelHistory, records: number): number {
  let [excess, spread] = [0, 0]
  for (const { feature, value, deviation } of answers) {
    excess += ((value - records * feature.mean) / deviation) ** 2 - 1
    spread += covariance(feature, feature) / deviation ** 2
  }
  return spread > 0 ? Math.sqrt(Math.max(0, excess / spread)) : 0
}
