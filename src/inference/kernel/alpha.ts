import { chooseAlpha } from './choose-alpha.ts'
import { CrossValidation, type KernelHistory, roughRecords } from './cross-validation.ts'
import { covariance } from './feature.ts'
import { OwnError } from './own-error.ts'
import { someOf } from './some-of.ts'

/** Answers that α is chosen by: more of them hardly change it. */
const mostValidated = 1500
const folds = 5
/** With fewer answers there is nothing to validate with. */
const leastValidated = 10

/**
 * The α that serves old and new questions alike: least is the product of what a new answer, and an old one that is bought again, would be
 * off from its estimate by, noise included. The first is told by cross-validation, the second by Cp. Where new questions cannot be told
 * from old ones at any α, the first hardly changes, and the second keeps precise answers from being drowned by the prior. A table that is
 * drawn from the prior has α = √n; beyond 10·n nothing is left of the prior.
 */
export function validatedAlpha(
  history: KernelHistory,
  random: () => number,
): { readonly alpha: number; readonly expected?: number } {
  const records = roughRecords(history)
  const least = Math.sqrt(Math.max(1, records))
  const typical = { alpha: Math.max(least, typicalAlpha(history, records)) }
  if (history.answers.length < leastValidated) return typical
  const part = partOf(history, random)
  const [fresh, own] = [new CrossValidation(part, folds, random), new OwnError(part, random)]
  const error = (alpha: number): number | undefined => {
    const errors = [own.error(alpha), fresh.error(alpha)]
    return errors.reduce<number | undefined>(
      (sum, e) => (sum === undefined || e === undefined ? undefined : sum + logOf(e)),
      0,
    )
  }
  const best = chooseAlpha(error, least, 10 * Math.max(1, records))
  return best ? { alpha: best.alpha, expected: Math.sqrt(Math.max(0, fresh.error(best.alpha)!)) } : typical
}

/** Of a mean square in units of the noise, with the noise: an estimate may be a little below 0. */
const logOf = (error: number): number => Math.log(1 + Math.max(0, error))

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
